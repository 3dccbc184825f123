"""Programs in new namespaces, through bubblewrap: isolation, environment, and a system call filter."""

import os
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from grader.errors import InfrastructureError
from grader.sandbox.bwrap_mounts import SCRATCH
from grader.sandbox.child import os_operation
from grader.sandbox.gpu import VISIBLE_VARIABLE, Gpu
from grader.sandbox.seccomp import Conditional, bpf_program

PROGRAM = "bwrap"

_KEPT_VARIABLES = ("LANG", "LC_ALL", "LD_LIBRARY_PATH", "CUDA_PATH", "CUDA_HOME")

_NOBODY = "65534"

ISOLATION = (
    *("--unshare-all", "--unshare-user"),
    *("--uid", _NOBODY, "--gid", _NOBODY, "--hostname", "worker"),
    *("--cap-drop", "ALL"),
    "--die-with-parent",
)


def bwrap() -> str:
    """The path of bubblewrap. Raises: ``InfrastructureError`` where it is not installed."""
    command = shutil.which(PROGRAM)
    if command is None:
        msg = f"{PROGRAM} is not installed"
        raise InfrastructureError(msg)
    return command


def environment(gpu: Gpu | None) -> dict[str, str]:
    """The environment inside; of several GPUs only ``gpu`` is visible."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    shown = {} if gpu is None else {VISIBLE_VARIABLE: gpu.uuid}
    scratch = dict.fromkeys(("HOME", "TMPDIR"), str(SCRATCH))
    return kept | shown | scratch | {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}


@contextmanager
def confined(  # noqa: PLR0913 - what differs between workers, tools and programs
    bwrap: str,
    mounts: Sequence[str],
    command: Sequence[str],
    *,
    refused: Collection[str] = (),
    further: Sequence[Conditional] = (),
    folder: Path = SCRATCH,
) -> Iterator[tuple[list[str], int]]:
    """The command that runs ``command`` inside, and the descriptor that it must inherit.

    It starts in ``folder``. ``mounts`` comes from ``mount_arguments``. Of the policy's system calls, ``refused`` ones
    fail as well; ``further`` ones are allowed in addition. Raises: ``InfrastructureError``.
    """
    with os_operation("make a file for bubblewrap"):
        file = os.memfd_create("for-bubblewrap")
    try:
        os.write(file, bpf_program(refused=refused, further=further))
        os.lseek(file, 0, os.SEEK_SET)
        inside = (*mounts, "--chdir", str(folder), "--seccomp", str(file), "--")
        yield [bwrap, *ISOLATION, *inside, *command], file
    finally:
        os.close(file)
