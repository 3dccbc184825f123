"""The requests to a worker and their replies."""

from dataclasses import dataclass
from enum import StrEnum

from grader.engines.support import EngineSupport
from grader.model.block_sample import SampledJob
from grader.model.device import Device
from grader.model.module import DeviceModule
from grader.model.plan import LaunchPlan
from grader.model.run import OutputCheck, RunOptions

FORKSERVER_MESSAGE_BYTES = 2**16
"""Longest message to or from a forkserver."""


class WorkerRole(StrEnum):
    """A worker's task.

    ``build`` runs the compilers, which read student code; ``assemble`` makes device code from their output.
    Both handle one request. ``run`` launches device code.
    """

    BUILD = "build"
    ASSEMBLE = "assemble"
    RUN = "run"


class RequestKind(StrEnum):
    """The kinds of request a worker answers.

    ``translate``: BuildRequest to Translation. ``assemble``: AssemblyRequest to BuildOutcome.
    ``put_inputs``: PutInputsRequest to InputsStored. ``run``: RunRequest to RunResult.
    ``compare``: CompareRequest to Comparison. ``run_blocks``: RunBlocksRequest to SampledRun.
    """

    TRANSLATE = "translate"
    ASSEMBLE = "assemble"
    PUT_INPUTS = "put_inputs"
    RUN = "run"
    COMPARE = "compare"
    RUN_BLOCKS = "run_blocks"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLimits:
    """A worker's resource limits; zero means no limit, where the role cannot work with one.

    ``file_bytes`` limits each file, ``scratch_bytes`` all of them together; ``cpus`` is CPU time per wall time. A
    sandbox enforces the limits that it can and reports those it cannot.
    """

    memory_bytes: int
    processes: int
    open_files: int
    file_bytes: int
    scratch_bytes: int = 256 * 2**20
    cpus: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """A worker's settings. ``engine`` and ``device`` are for the run role; ``parent`` is the grader's pid.

    ``languages`` are those that a build worker compiles, as references to what their packages register.
    """

    role: WorkerRole
    limits: WorkerLimits
    engine: EngineSupport | None = None
    device: Device | None = None
    parent: int = 0
    languages: tuple[str, ...] = ()

    @property
    def needs_gpu(self) -> bool:
        """Whether the worker has a GPU; it then runs no student code on the CPU."""
        return self.engine is not None and self.engine.on_gpu


@dataclass(frozen=True, slots=True, kw_only=True)
class SpawnRequest:
    """Asks a forkserver for a worker in ``folder``; its three standard streams come with the message."""

    folder: str
    limits: WorkerLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class SpawnReply:
    """A forkserver's reply: the new worker's pid. Sent to the forkserver, it requests that worker's exit code."""

    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """A worker's exit code, negative for a signal."""

    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A worker's first message. ``device`` is its engine's; build workers have none."""

    device: Device | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PutInputsRequest:
    """Keep these inputs, by number, for the next request: those the last one did not name. Needs no device."""

    fresh: dict[int, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputsStored:
    """The inputs are stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentJob:
    """A ``LaunchJob`` with ``inputs`` that map each buffer to the number of an input that the worker keeps."""

    module: DeviceModule
    plan: LaunchPlan
    inputs: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """Run one job."""

    job: SentJob
    options: RunOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRequest:
    """Time two jobs against each other, and check the submission's timed output."""

    baseline: SentJob
    submission: SentJob
    options: RunOptions
    checks: tuple[OutputCheck, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBlocksRequest:
    """Run some blocks of a job. Only engines that count accesses take this request."""

    job: SampledJob
    options: RunOptions
