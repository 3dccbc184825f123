"""Other processes of Python that find this checkout, Grader's own command line among them."""

import os
import subprocess
import sys
from pathlib import Path

from tools.paths import CHECKOUT

_PROGRAM = "from grader.cli.app import main; main()"


def environment() -> dict[str, str]:
    """The variables of this process, with the checkout first where Python looks."""
    path = os.pathsep.join([str(CHECKOUT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}


def grader(folder: Path, *arguments: str) -> str:
    """What ``grader`` with these arguments prints in ``folder``; it must end well.

    It takes the GPU in its turns, as on a user's machine.
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
