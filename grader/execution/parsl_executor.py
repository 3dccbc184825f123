"""The executor ``parsl``: Parsl's HighThroughputExecutor carries tickets to workers of other hosts or a cluster.

Parsl's API moves between releases, so that this file alone knows it. Tickets and replies are JSON; Parsl itself sends
pickles both ways, encrypted, and only to hosts that have a key. Parsl's queue stays short: what waits is in the store.
"""

import logging
import os
import queue
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import UserError
from grader.execution.parsl_programs import INTERCHANGE, launch_template
from grader.execution.parsl_worker import answer
from grader.execution.port import ExecutorRequest, Outcome, OutcomeKind, WorkerState
from grader.execution.progress import Progress
from grader.execution.worker_keys import server_keys
from grader.model.needs import ComputeDevice
from grader.sandbox.gpu import VISIBLE_VARIABLE

try:
    import parsl
    from parsl.config import Config
    from parsl.executors import HighThroughputExecutor
    from parsl.executors.high_throughput.executor import DEFAULT_LAUNCH_CMD
    from parsl.launchers import SimpleLauncher
    from parsl.providers import KubernetesProvider, LocalProvider, PBSProProvider, SlurmProvider
except ModuleNotFoundError as error:
    _MSG = f"The executor parsl needs the Python package {error.name}, which is not installed."
    raise UserError(_MSG, hint='Install it: pip install "grader[cluster]"') from error

HEARTBEAT_SECONDS = 5
LOST_AFTER_SECONDS = 15
"""A host that sends no heartbeat for so long is lost, and with it what it runs."""

_LABEL = "grader"
_STRATEGY_SECONDS = 2

_BLOCK = f"parsl.{_LABEL}.block-"
"""How the names of the batch system's jobs begin."""


class ParslExecutor:
    """``Executor`` over Parsl. All its devices are alike, as the settings or this host's devices describe them."""

    def __init__(self, request: ExecutorRequest) -> None:
        self._settings = request.settings
        self._work = request.work
        self._folder = request.folder / request.settings.folder
        self._base = request.folder
        self._device, self._ids = _described(request)
        self._slots = request.slots(self._device)
        per_block = self._slots * max(1, len(self._ids))
        self._capacity = per_block * (1 if request.settings.provider == "local" else request.settings.blocks)
        self._flying: set[tuple[int, int]] = set()
        self._ended: queue.SimpleQueue[tuple[int, int, Future[bytes]]] = queue.SimpleQueue()
        self._since: dict[str, datetime] = {}
        self._kernel: Any = None
        self._htex: Any = None

    def start(self) -> None:
        """See the port."""
        _end_leftovers(self._settings.provider)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Parsl finds its programs on the path.
        os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        logging.getLogger("parsl").setLevel(logging.ERROR)
        self._htex = self._executor()
        config = Config(
            executors=[self._htex],
            retries=0,  # the queue counts attempts
            run_dir=str(self._folder / "runs"),
            # "htex_auto_scale" ends a block that has more workers than there are tickets before it connects.
            strategy="simple",
            strategy_period=_STRATEGY_SECONDS,
            max_idletime=self._settings.idle_seconds,
            usage_tracking=0,
            initialize_logging=False,
        )
        try:
            self._kernel = parsl.load(config)
        except Exception as error:
            msg = f"Parsl cannot start: {type(error).__name__}: {error}."
            raise UserError(msg, hint="Check [execution] address, port and provider.") from error
        self._app: Callable[..., Future[bytes]] = parsl.python_app(answer, executors=[_LABEL])

    def room(self) -> Sequence[ComputeDevice]:
        """See the port. One ticket more than there are workers: none of them waits for a round trip."""
        return [self._device] * (self._capacity + 1 - len(self._flying))

    def hand(self, ticket: bytes, job: int, attempt: int, device: ComputeDevice) -> None:
        """See the port."""
        self._flying.add((job, attempt))
        future = self._app(self._work, msgspec.json.encode(device), ticket)
        future.add_done_callback(lambda done: self._ended.put((job, attempt, done)))

    def outcomes(self, seconds: float) -> Iterator[Outcome]:
        """See the port."""
        while True:
            try:
                job, attempt, future = (
                    self._ended.get(timeout=seconds) if seconds else self._ended.get_nowait()
                )
            except queue.Empty:
                return
            seconds = 0.0
            self._flying.discard((job, attempt))
            error = future.exception()
            yield Outcome(
                job=job,
                attempt=attempt,
                kind=OutcomeKind.LOST if error else OutcomeKind.DONE,
                device=self._device,
                reply=b"" if error else future.result(),
                why=f"{type(error).__name__}: {error}" if error else "",
            )

    def progress(self) -> Sequence[Progress]:
        """See the port: Parsl carries results alone."""
        return ()

    def workers(self) -> Sequence[WorkerState]:
        """See the port. Parsl says how many tickets a host has, not which."""
        found = []
        for manager in self._htex.connected_managers():
            name = str(manager["manager"])
            since = self._since.setdefault(name, datetime.now(UTC))
            found += [
                WorkerState(
                    name=f"{name}/{number}", host=_host(manager["block_id"]), device=self._device, since=since
                )
                for number in range(manager["worker_count"])
            ]
        return found

    def close(self) -> None:
        """See the port."""
        kernel, self._kernel = self._kernel, None
        if kernel is not None:
            kernel.cleanup()
            parsl.clear()
            _end_leftovers(self._settings.provider)

    def _executor(self) -> Any:
        settings = self._settings
        executor = HighThroughputExecutor(
            label=_LABEL,
            encrypted=True,
            address=settings.address or "127.0.0.1",
            # Without one, workers could not be started by hand, and a firewall could not know it.
            worker_port=settings.port,
            # Under a batch system each block has its own devices; with a list Parsl would number them from 0.
            available_accelerators=list(self._ids) * self._slots,
            max_workers_per_node=self._slots * max(1, len(self._ids)),
            cores_per_worker=1e-3,
            prefetch_capacity=0,
            heartbeat_period=HEARTBEAT_SECONDS,
            heartbeat_threshold=LOST_AFTER_SECONDS,
            # One dead block must not fail all jobs.
            block_error_handler=False,
            launch_cmd=launch_template(DEFAULT_LAUNCH_CMD),
            # The interchange dies with the dispatcher's main thread, and with it all workers.
            interchange_launch_cmd=["setpriv", "--pdeathsig", "TERM", *INTERCHANGE],
            provider=self._provider(),
        )
        executor.cert_dir = str(server_keys(self._folder))
        return executor

    def _provider(self) -> Any:
        settings = self._settings
        before = "\n".join(
            [
                f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH",
                f"cd {shlex.quote(str(self._base))}",
                *([f"unset {VISIBLE_VARIABLE}"] if self._ids else []),
                settings.before,
            ]
        )
        elastic = {"init_blocks": 0, "min_blocks": 0, "max_blocks": settings.blocks, "worker_init": before}
        batch = {**elastic, "launcher": SimpleLauncher(), "walltime": settings.walltime, "nodes_per_block": 1}
        match settings.provider:
            case "local":
                return LocalProvider(**{**elastic, "max_blocks": 1}, launcher=SimpleLauncher())
            case "hand":
                return LocalProvider(init_blocks=0, min_blocks=0, max_blocks=0)
            case "slurm":
                lines = "\n".join(f"#SBATCH {line}" for line in settings.options)
                return SlurmProvider(
                    partition=settings.queue or None,
                    exclusive=False,
                    cores_per_node=self._slots,
                    scheduler_options=lines,
                    cmd_timeout=60,
                    **batch,
                )
            case "pbs":
                lines = "\n".join(f"#PBS {line}" for line in settings.options)
                return PBSProProvider(
                    queue=settings.queue or None,
                    cpus_per_node=self._slots,
                    scheduler_options=lines,
                    **batch,
                )
            case _:
                return _kubernetes(settings.image, elastic)


def _host(block: str) -> str:
    """Parsl names no hosts: a number is that of a block, and `grader workers join` gives the host's name."""
    return f"block {block}" if block.isdecimal() else block


def _described(request: ExecutorRequest) -> tuple[ComputeDevice, tuple[str, ...]]:
    """The device that stands for all, and the ids of those of this host; a cluster has none.

    Raises: ``UserError`` if this host's devices differ.
    """
    settings = request.settings
    if settings.provider == "local":
        first, *others = request.devices
        if any(other.model != first.model for other in others):
            msg = "The devices of this host are of several models, and the executor parsl takes one."
            raise UserError(msg, hint="Choose some with [execution] devices, or use the executor local.")
        pool = ComputeDevice(
            id="",
            engine=first.engine,
            model=first.model,
            memory_mib=first.memory_mib,
            capability=first.capability,
        )
        return pool, tuple(device.id for device in request.devices if device.is_gpu)
    major, _, minor = (settings.capability or "0.0").partition(".")
    if not (major + minor).isdecimal():
        msg = f"[execution] capability {settings.capability!r} is no compute capability."
        raise UserError(msg, hint='Write it as "9.0".')
    pool = ComputeDevice(
        id="",
        engine=settings.engine,
        model=settings.model,
        memory_mib=settings.memory_mib,
        capability=(int(major), int(minor)),
    )
    return pool, ()


def _kubernetes(image: str, elastic: dict[str, Any]) -> Any:
    if not image:
        msg = "The provider kubernetes needs an image for its workers."
        raise UserError(msg, hint="Name one with [execution] image.")
    try:
        return KubernetesProvider(image=image, **elastic)
    except Exception as error:
        msg = f"The provider kubernetes cannot be used: {error}."
        raise UserError(msg, hint="Install the package kubernetes, and check ~/.kube/config.") from error


def _end_leftovers(provider: str) -> None:
    """Cancel the batch system's jobs of a dispatcher that was killed."""
    if provider != "slurm":
        return
    listed = subprocess.run(
        ["squeue", "--me", "--noheader", "--format=%i %j"],  # noqa: S607 - the batch system's own tool
        capture_output=True,
        text=True,
        check=False,
    )
    found = [line.split(maxsplit=1) for line in listed.stdout.splitlines() if _BLOCK in line]
    if found:
        jobs = [job for job, _ in found]
        subprocess.run(["scancel", *jobs], check=False)  # noqa: S603, S607 - the batch system's own tool
