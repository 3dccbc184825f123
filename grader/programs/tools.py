"""How the compilers of programs run: as plain processes, or as a sandbox runs them."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Finished:
    """The exit code of a tool, and what it wrote to its standard streams."""

    code: int
    output: str


class Tool(Protocol):
    """Runs ``command`` in ``folder`` to its end; it may write below ``writable`` alone.

    Raises: ``OSError`` where it cannot start, ``subprocess.TimeoutExpired`` after ``seconds``.
    """

    def __call__(self, command: Sequence[str], folder: Path, writable: Path, seconds: float) -> Finished:
        """The finished tool."""


def plain_tool(command: Sequence[str], folder: Path, writable: Path, seconds: float) -> Finished:
    """Run a tool with the rights of its user."""
    variables = {"PATH": os.defpath, "HOME": str(writable), "TMPDIR": str(writable)}
    return captured(command, folder, variables, seconds)


def captured(
    command: Sequence[str],
    folder: Path,
    variables: dict[str, str],
    seconds: float,
    inherited: tuple[int, ...] = (),
) -> Finished:
    """Run ``command`` to its end with ``variables`` as its environment. Raises: as ``Tool``."""
    done = subprocess.run(  # noqa: S603 - compilers of this machine
        command,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=seconds,
        check=False,
        pass_fds=inherited,
    )
    return Finished(done.returncode, done.stderr + done.stdout)
