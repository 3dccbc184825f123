"""Runs the compilers of programs in new namespaces: they read the system and the program's files, and no more."""

from collections.abc import Sequence
from pathlib import Path

from grader.programs.tools import Finished, captured
from grader.sandbox.bwrap_mounts import mount_arguments
from grader.sandbox.namespaces import bwrap, confined, environment
from grader.sandbox.system_files import SYSTEM

_SCRATCH_BYTES = 2**30


class ConfinedTool:
    """A ``Tool`` that a sandbox confines."""

    def __init__(self, software: Sequence[Path]) -> None:
        """``software`` is read-only inside. Raises: ``InfrastructureError`` where bubblewrap is missing."""
        self._software = tuple(software)
        self._bwrap = bwrap()

    def __call__(self, command: Sequence[str], folder: Path, writable: Path, seconds: float) -> Finished:
        """Run a compiler; see ``Tool``."""
        mounts = mount_arguments(_SCRATCH_BYTES, [*SYSTEM, *self._software], [], [writable])
        with confined(self._bwrap, mounts, command, folder=folder) as (outer, file):
            return captured(outer, Path("/"), environment(None), seconds, (file,))
