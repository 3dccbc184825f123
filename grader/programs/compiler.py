"""Runs the compilers of this machine, and reads their messages."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from grader.errors import InfrastructureError
from grader.model.reason import reason
from grader.programs.compile_error import CompileError, compile_error
from grader.programs.toolchain import Toolchain
from grader.programs.tools import Tool, plain_tool

OBJECT = "unit.o"
"""The name of an object in the folder of its file."""

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


class CompileSteps:
    """Runs the compilers of a program in ``folder``, nvcc with ``flags``."""

    def __init__(self, toolchain: Toolchain, flags: Sequence[str], folder: Path, tool: Tool) -> None:
        self._toolchain = toolchain
        self._flags = flags
        self._folder = folder
        self._tool = tool
        self._units = 0

    def compiled(self, name: str, own: str, flags: Sequence[str]) -> Path:
        """Compile the file ``name`` of the folder ``own``. Returns: the folder with its object and its PTX."""
        kept = self._folder / f"unit{self._units}"
        self._units += 1
        kept.mkdir()
        keep = ("-keep", "--keep-dir", str(kept))
        target = ("-c", name, "-o", str(kept / OBJECT))
        self.run([str(self._toolchain.nvcc), *self._flags, *keep, *flags, *target], self._folder / own)
        return kept

    def run(self, command: list[str], folder: Path) -> None:
        """Run a compiler. Raises: as ``run_compiler``."""
        run_compiler(command, folder, self._folder, self._tool)
