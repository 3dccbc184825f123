"""Runs a compiler of this machine, and reads its messages."""

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from grader.errors import InfrastructureError, UserError
from grader.model.text import printable

_SECONDS = 300
_MOST_MESSAGES = 20
_UNDEFINED = re.compile(r"undefined reference to `([^']+)'")
_ERROR = re.compile(r"^(?P<file>[^\s(:]+)[(:](?P<line>\d+)[):].*?error[:\s]+(?P<text>.*)$", re.MULTILINE)


def run_compiler(command: Sequence[str], folder: Path) -> None:
    """Run ``command`` in ``folder``.

    Raises: ``UserError`` with its messages for code that does not compile, ``InfrastructureError`` where it cannot run.
    """
    environment = {"PATH": os.defpath, "HOME": str(folder), "TMPDIR": str(folder)}
    try:
        done = subprocess.run(  # noqa: S603 - compilers of this machine
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except OSError as error:
        msg = f"{command[0]} cannot run: {error.strerror}"
        raise InfrastructureError(msg) from error
    except subprocess.TimeoutExpired:
        msg = f"The program does not compile within {_SECONDS} s."
        raise UserError(msg) from None
    if done.returncode:
        raise UserError(_message(done.stderr + done.stdout))


def _message(output: str) -> str:
    """The compiler's errors, one a line, or the end of its output where none has a line."""
    lacking = sorted(set(_UNDEFINED.findall(output)))
    if lacking:
        return f"The program calls {', '.join(map(printable, lacking[:_MOST_MESSAGES]))}, which this runtime lacks."
    found = [f"{Path(m['file']).name}:{m['line']}: {printable(m['text'])}" for m in _ERROR.finditer(output)]
    shown = found or [printable(line) for line in output.splitlines() if line.strip()]
    return "The program does not compile.\n" + "\n".join(shown[:_MOST_MESSAGES])
