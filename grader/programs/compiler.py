"""Runs a compiler of this machine, and reads its messages."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from grader.errors import InfrastructureError
from grader.model.reason import reason
from grader.programs.compile_error import CompileError, compile_error
from grader.programs.tools import Tool, plain_tool

_SECONDS = 300


def run_compiler(
    command: Sequence[str], folder: Path, writable: Path | None = None, tool: Tool = plain_tool
) -> None:
    """Run ``command`` in ``folder``; it writes below ``writable``, or else its folder. ``tool`` runs it.

    Raises: ``CompileError`` with its messages for code that does not compile, ``InfrastructureError`` where it cannot
    run.
    """
    try:
        done = tool(command, folder, writable or folder, _SECONDS)
    except OSError as error:
        msg = f"{command[0]} cannot run: {error.strerror}"
        raise InfrastructureError(msg) from error
    except subprocess.TimeoutExpired:
        raise CompileError(reason("program-compiles-too-long", seconds=_SECONDS)) from None
    if done.code:
        raise compile_error(done.output)
