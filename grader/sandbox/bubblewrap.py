"""The bubblewrap sandbox: namespaces and a system call filter, without a daemon and without root.

A worker sees the software it runs and an empty scratch folder. It has no network and no capabilities, cannot make
namespaces, and sees only its own processes. ``weaknesses`` lists what this sandbox cannot guarantee.
"""

import dataclasses
import os
import platform
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import msgspec

from grader.cache import CACHE_VARIABLE, cache_folder
from grader.engines.builtin import EMULATOR
from grader.engines.emulator.warm_up import is_warm, warm_up
from grader.sandbox.bwrap_mounts import mount_arguments
from grader.sandbox.child import Child, Streams, make_pipes, spawn
from grader.sandbox.cpu_affinity import CpuAffinity, CpuAllocator
from grader.sandbox.driver import driver_libraries
from grader.sandbox.gpu import Gpu, chosen_gpu
from grader.sandbox.namespaces import ISOLATION, PROGRAM, bwrap, confined, environment
from grader.sandbox.process_tree import ProcessTree
from grader.sandbox.seccomp import LOCAL_SOCKETS, supported_machines
from grader.sandbox.system_files import LOADED_FOR_A_GPU, loaded_by_workers
from grader.sandbox.worker_client import WorkerClient, wait_until_ready
from grader.worker.messages import WorkerRole, WorkerSettings

_HELPER_PROCESSES = 2
"""Bubblewrap's own processes per worker: one outside its namespaces and the first process inside."""

_COUNTED_BY_NAMESPACE = (5, 14)
"""First kernel that counts processes per user namespace; older ones count all processes of the user."""

_LIMIT_LIFTING_CALLS = ("sched_setaffinity", *LOCAL_SOCKETS)
"""System calls that would lift a worker's limits of processors and memory.

Workers with a GPU keep them: its driver may pin threads and talk to its daemons. They run no student code on the CPU.
"""

_SIGNALLED = 128
"""Bubblewrap reports a worker's death by a signal as this number plus the signal's."""

_HINT = (
    "allow unprivileged user namespaces (sysctl user.max_user_namespaces above 0, and where they exist "
    "kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile "
    "for bwrap)"
)

_PROBE = ("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--", "true")


def unavailable() -> str | None:
    """Why bubblewrap cannot be used here, and how to fix it; ``None`` where it can. Takes about 10 ms."""
    command = shutil.which(PROGRAM)
    if command is None:
        return f"{PROGRAM} is not installed; install the package bubblewrap"
    if platform.machine() not in supported_machines():
        return f"there is no system call filter for {platform.machine()}; use docker"
    probe = subprocess.run(  # noqa: S603 - a command that the grader builds
        [command, *ISOLATION, *_PROBE], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if probe.returncode == 0:
        return None
    output = probe.stderr.decode("utf-8", "replace").strip()
    return f"bwrap cannot make a sandbox here ({output}); {_HINT}"


def weaknesses() -> list[str]:
    """What this sandbox cannot guarantee on this machine, one sentence each."""
    found = [
        "A worker's memory is limited per process; the sum over its processes is only checked, ten times a second.",
        "The buffers of a worker's pipes are not counted; they stay small, as their number and size are bounded.",
        "Processors are assigned core by core, and only among the workers of one grader.",
    ]
    if os.geteuid() == 0:
        found.append(
            "The grader runs as root: code that escaped from the sandbox would be root without capabilities, and the "
            "kernel does not limit root's processes. Run it as an ordinary user."
        )
    elif not _processes_are_counted_by_namespace():
        found.append("This kernel cannot limit a worker's processes; they are counted ten times a second.")
    return found


class BubblewrapSandbox:
    """Workers in namespaces of their own. Use it as a context manager, or ``close`` it."""

    name = "bubblewrap"

    def __init__(self, cancelled: threading.Event | None = None) -> None:
        """``cancelled``: when set, every request to a worker of this sandbox raises ``CancelledError``.

        Raises: ``InfrastructureError`` where ``bwrap`` is not installed.
        """
        self._bwrap = bwrap()
        self._cancelled = cancelled or threading.Event()
        self._cpus = CpuAllocator()
        # A worker dies with the thread that started it, so that thread must live as long as the sandbox.
        self._starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bubblewrap")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the remaining workers."""
        self._starter.shutdown()

    def worker(self, settings: WorkerSettings) -> WorkerClient:
        """Start a worker; see the port."""
        limits = settings.limits
        with ExitStack() as undo:
            pipes, streams = make_pipes()
            undo.callback(pipes.close)
            with streams:
                child = self._starter.submit(self._spawn, _settable(settings), streams).result()
            processes = limits.processes and limits.processes + _HELPER_PROCESSES
            affinity = None
            if not settings.needs_gpu:
                affinity = CpuAffinity(self._cpus, limits.cpus)
                undo.callback(affinity.release)
            tree = ProcessTree(
                child.pid, memory_bytes=limits.memory_bytes, processes=processes, affinity=affinity
            )
            client = WorkerClient(_BwrapChild(child), pipes, tree, self._cancelled, undo.pop_all())
        return wait_until_ready(client)

    def prepare(self, settings: WorkerSettings) -> None:
        """Do nothing: a worker starts on demand; a pool starts workers ahead."""

    def _spawn(self, settings: WorkerSettings, streams: Streams) -> Child:
        gpu = chosen_gpu() if settings.needs_gpu else None
        driver = [path.parent for path in driver_libraries().values()] if gpu else []
        devices = gpu.nodes() if gpu else []
        of_cuda = LOADED_FOR_A_GPU if gpu else ()
        read_only = [*loaded_by_workers(), *of_cuda, *driver, *_caches(settings)]
        mounts = mount_arguments(settings.limits.scratch_bytes, read_only, devices)
        command = [sys.executable, "-I", "-m", "grader.worker", msgspec.json.encode(settings).decode()]
        refused = () if gpu else _LIMIT_LIFTING_CALLS
        with confined(self._bwrap, mounts, command, refused=refused) as (outer, filter_file):
            return spawn(outer, streams, Path("/"), _variables(settings.role, gpu), inherited=(filter_file,))


@dataclasses.dataclass(frozen=True, slots=True)
class _BwrapChild:
    """A worker behind bubblewrap's own processes."""

    child: Child

    @property
    def pid(self) -> int:
        """The pid of bubblewrap's process outside the namespaces; the worker ends with it."""
        return self.child.pid

    def wait(self) -> int:
        """See ``Child.wait``."""
        code = self.child.wait()
        return _SIGNALLED - code if code > _SIGNALLED else code


def _settable(settings: WorkerSettings) -> WorkerSettings:
    """``settings`` without a process limit where a worker cannot set it on itself."""
    if _processes_are_counted_by_namespace():
        return settings
    return dataclasses.replace(settings, limits=dataclasses.replace(settings.limits, processes=0))


def _processes_are_counted_by_namespace() -> bool:
    major, minor = platform.release().split(".")[:2]
    return (int(major), int(minor)) >= _COUNTED_BY_NAMESPACE


def _caches(settings: WorkerSettings) -> list[Path]:
    """The cache of compiled code, read-only for workers, so it is filled before the first one starts."""
    if settings.engine != EMULATOR:
        return []
    if not is_warm():
        warm_up()
    return [cache_folder()]


def _variables(role: WorkerRole, gpu: Gpu | None) -> dict[str, str]:
    cache = {CACHE_VARIABLE: str(cache_folder())} if role is WorkerRole.RUN else {}
    return environment(gpu) | cache
