"""Starts a whole program, in new namespaces or as a plain process; it inherits the terminal."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from grader.sandbox.bwrap_mounts import mount_arguments
from grader.sandbox.driver import driver_libraries
from grader.sandbox.gpu import Gpu
from grader.sandbox.namespaces import bwrap, confined, environment
from grader.sandbox.seccomp import FOR_TOOLS
from grader.sandbox.system_files import SYSTEM, interpreter

_SCRATCH_BYTES = 2**30


@contextmanager
def unconfined(
    command: Sequence[str], folder: Path, variables: Mapping[str, str], inherited: Sequence[int]
) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a program with the rights of its user, in the current folder."""
    del folder  # visible anyway
    with _started(command, {**os.environ, **variables}, inherited) as process:
        yield process


class Confined:
    """Starts programs without network; they read ``work`` and their own files, and write to a scratch folder alone."""

    def __init__(
        self,
        work: Path,
        gpu: Gpu | None = None,
        software: Sequence[Path] = (),
        reports: Sequence[Path] = (),
        *,
        visible: Sequence[Path] = (),
    ) -> None:
        """``work`` is the program's current folder; it gets ``gpu``, and no other one.

        ``software`` are folders of tools that it runs under, ``reports`` folders that these may write to. It also
        reads what is ``visible``. Raises: ``InfrastructureError`` where bubblewrap is missing.
        """
        self._work = work
        self._gpu = gpu
        self._software = software
        self._reports = reports
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
        mounts = mount_arguments(_SCRATCH_BYTES, readable, devices, self._reports)
        further = FOR_TOOLS if self._software else ()
        with confined(self._bwrap, mounts, command, folder=self._work, further=further) as (outer, file):
            known = {**environment(self._gpu), **variables}
            with _started(outer, known, (*inherited, file)) as process:
                yield process


@contextmanager
def _started(
    command: Sequence[str], variables: Mapping[str, str], inherited: Sequence[int]
) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(command, env=variables, pass_fds=inherited) as process:  # noqa: S603 - the user's program
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
