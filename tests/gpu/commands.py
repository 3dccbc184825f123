"""Grader's own command line, in a process of its own: it takes the GPU in its turns, as on a user's machine."""

import os
import subprocess
import sys
from pathlib import Path

from tests.paths import CHECKOUT

_PROGRAM = "from grader.cli.app import main; main()"


def grader(folder: Path, *arguments: str) -> str:
    """What ``grader`` with these arguments prints in ``folder``; it must end well."""
    path = os.pathsep.join([str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
