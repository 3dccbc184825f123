"""Starts a whole program, in new namespaces or as a plain process."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox.bwrap_mounts import mount_arguments
from grader.sandbox.driver import driver_libraries
from grader.sandbox.gpu import Gpu
from grader.sandbox.namespaces import bwrap, confined, environment
from grader.sandbox.seccomp import FOR_TOOLS
from grader.sandbox.system_files import SYSTEM, interpreter

_SCRATCH_BYTES = 2**30
_LIMITER = "/usr/bin/prlimit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Streams:
    """The standard input and output of a program, as ``subprocess`` takes them; ``None``: those of this process."""

    input: int | None = None
    output: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramLimits:
    """What one process of a program may use, in bytes and counts."""

    memory_bytes: int
    file_bytes: int
    open_files: int

    @property
    def command(self) -> tuple[str, ...]:
        """The command that starts another one within these limits."""
        return (
            _LIMITER,
            f"--as={self.memory_bytes}",
            f"--fsize={self.file_bytes}",
            f"--nofile={self.open_files}",
            "--core=0",
            "--",
        )


_INHERITED = Streams()


class Unconfined:
    """Starts programs with the rights of their user, in ``work`` or the current folder."""

    def __init__(
        self, work: Path | None = None, streams: Streams = _INHERITED, limits: ProgramLimits | None = None
    ) -> None:
        self._work = work
        self._streams = streams
        self._limits = limits

    @contextmanager
    def __call__(
        self, command: Sequence[str], folder: Path, variables: Mapping[str, str], inherited: Sequence[int]
    ) -> Iterator["subprocess.Popen[bytes]"]:
        """Start a program."""
        del folder  # visible anyway
        limited = (*(self._limits.command if self._limits else ()), *command)
        with _started(limited, {**os.environ, **variables}, inherited, self._streams, self._work) as process:
            yield process


unconfined = Unconfined()
"""Starts a program in the current folder; it inherits the terminal."""


class Confined:
    """Starts programs without network; they read ``work`` and their own files, and write to a scratch folder alone."""

    def __init__(  # noqa: PLR0913 - what differs between runs, by name
        self,
        work: Path,
        gpu: Gpu | None = None,
        *,
        software: Sequence[Path] = (),
        writable: Sequence[Path] = (),
        streams: Streams = _INHERITED,
        limits: ProgramLimits | None = None,
        visible: Sequence[Path] = (),
    ) -> None:
        """``work`` is the program's current folder; it gets ``gpu``, and no other one.

        ``software`` are folders of tools that it runs under, ``writable`` folders that it may write to as well.
        It also reads what is ``visible``. Raises: ``InfrastructureError`` where bubblewrap is missing.
        """
        self._work = work
        self._gpu = gpu
        self._software = software
        self._writable = writable
        self._streams = streams
        self._limits = limits
        self._visible = visible
        self._bwrap = bwrap()

    @contextmanager
    def __call__(
        self, command: Sequence[str], folder: Path, variables: Mapping[str, str], inherited: Sequence[int]
    ) -> Iterator["subprocess.Popen[bytes]"]:
        """Start a program."""
        driver = [path.parent for path in driver_libraries().values()] if self._gpu else []
        devices = self._gpu.nodes() if self._gpu else []
        own = [folder, self._work, *self._visible]
        readable = [*SYSTEM, *interpreter(), *driver, *self._software, *own]
        mounts = mount_arguments(_SCRATCH_BYTES, readable, devices, self._writable)
        further = FOR_TOOLS if self._software else ()
        limited = (*(self._limits.command if self._limits else ()), *command)
        with confined(self._bwrap, mounts, limited, folder=self._work, further=further) as (outer, file):
            known = {**environment(self._gpu), **variables}
            with _started(outer, known, (*inherited, file), self._streams) as process:
                yield process


@contextmanager
def _started(
    command: Sequence[str],
    variables: Mapping[str, str],
    inherited: Sequence[int],
    streams: Streams,
    folder: Path | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(  # noqa: S603 - the user's program
        command,
        env=variables,
        pass_fds=inherited,
        stdin=streams.input,
        stdout=streams.output,
        stderr=streams.output,
        cwd=folder,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
