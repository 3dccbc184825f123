"""Run other Python processes that import this checkout, including Grader's command line."""

import os
import subprocess
import sys
from pathlib import Path

from tools.paths import CHECKOUT

_PROGRAM = "from grader.cli.app import main; main()"


def environment() -> dict[str, str]:
    """Return this process's environment variables, with the checkout first on Python's search path."""
    path = os.pathsep.join([str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}


def grader(folder: Path, *arguments: str) -> str:
    """Return what ``grader`` with these arguments prints in ``folder``; it must succeed.

    It takes the GPU lock, as on a user's machine.
    """
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
