"""Runs a tool of this machine to its end on a folder, in a sandbox or as a plain process.

For profilers and checkers that launch a student's kernels. No student code runs on their host side.
"""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.errors import InfrastructureError
from grader.sandbox.bwrap_mounts import mount_arguments
from grader.sandbox.driver import driver_libraries
from grader.sandbox.gpu import Gpu
from grader.sandbox.namespaces import bwrap, confined, environment
from grader.sandbox.seccomp import FOR_TOOLS
from grader.sandbox.system_files import SYSTEM, loaded_by_workers

_SCRATCH_BYTES = 2**28


class Unconfined:
    """Runs tools as plain processes in new sessions."""

    def run(self, command: Sequence[str], folder: Path, software: Sequence[Path], seconds: float) -> int:
        """Run ``command`` in ``folder``; its exit code. Raises: ``InfrastructureError`` where it takes too long."""
        del software  # visible anyway
        return _waited(command, folder, os.environ, seconds)


class Confined:
    """Runs tools in new namespaces, with at most one GPU. They can only write to their folder."""

    def __init__(self, gpu: Gpu | None) -> None:
        """Raises: ``InfrastructureError`` where bubblewrap is not installed."""
        self._bwrap = bwrap()
        self._gpu = gpu

    def run(self, command: Sequence[str], folder: Path, software: Sequence[Path], seconds: float) -> int:
        """As ``Unconfined.run``; the tool sees ``software`` and what a worker sees."""
        driver = [path.parent for path in driver_libraries().values()] if self._gpu else []
        devices = self._gpu.nodes() if self._gpu else []
        mounts = mount_arguments(
            _SCRATCH_BYTES, [*SYSTEM, *loaded_by_workers(), *driver, *software], devices, [folder]
        )
        with confined(self._bwrap, mounts, command, further=FOR_TOOLS) as (outer, file):
            return _waited(outer, folder, environment(self._gpu), seconds, (file,))


def _waited(
    command: Sequence[str],
    folder: Path,
    variables: Mapping[str, str],
    seconds: float,
    inherited: tuple[int, ...] = (),
) -> int:
    with subprocess.Popen(  # noqa: S603 - a command that the grader builds
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**variables, "HOME": str(folder), "TMPDIR": str(folder)},
        pass_fds=inherited,
        start_new_session=True,
    ) as process:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            msg = f"it did not end within {seconds:g} s"
            raise InfrastructureError(msg) from None
        finally:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill its whole session: the profiled program may outlive the tool."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
