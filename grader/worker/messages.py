"""The requests a worker understands and what each is answered with."""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.device import Device
from grader.model.module import DeviceModule
from grader.model.plan import LaunchPlan
from grader.model.run import EngineKind, OutputCheck, RunOptions
from grader.model.submission import Language

FORKSERVER_MESSAGE_BYTES = 2**16
"""Longest message to or from a forkserver."""


class WorkerRole(StrEnum):
    """What a worker is for.

    ``build`` runs the compilers, for which it imports student Python; ``assemble`` makes device code of what they
    said. Both are asked once. ``run`` launches device code.
    """

    BUILD = "build"
    ASSEMBLE = "assemble"
    RUN = "run"


class RequestKind(StrEnum):
    """The kinds of request a worker answers.

    ``translate``: BuildRequest to Translation. ``assemble``: AssemblyRequest to BuildOutcome.
    ``put_inputs``: PutInputsRequest to InputsStored. ``run``: RunRequest to RunResult.
    ``compare``: CompareRequest to Comparison.
    """

    TRANSLATE = "translate"
    ASSEMBLE = "assemble"
    PUT_INPUTS = "put_inputs"
    RUN = "run"
    COMPARE = "compare"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLimits:
    """What a worker may use. Zero switches a limit off where its role cannot live with it.

    ``file_bytes`` bounds each file, ``scratch_bytes`` all of them together; ``cpus`` is processors' worth of time per
    time. A sandbox keeps to those that it can bound and says which it cannot.
    """

    memory_bytes: int
    processes: int
    open_files: int
    file_bytes: int
    scratch_bytes: int = 256 * 2**20
    cpus: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """What a worker is started with. ``engine`` and ``device`` are for the run role; ``parent`` is the grader's pid.

    ``language`` is what a build worker is about to compile; without it, it may be any.
    """

    role: WorkerRole
    limits: WorkerLimits
    engine: EngineKind | None = None
    device: Device | None = None
    parent: int = 0
    language: Language | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpawnRequest:
    """Asks a forkserver for a worker in ``folder``; its three standard streams come with the message."""

    folder: str
    limits: WorkerLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class SpawnReply:
    """A forkserver's answer: the new worker's pid. Sent back to it, it asks how that worker ended."""

    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """A worker's exit code, negative for a signal."""

    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A worker's first word. ``device`` is what its engine runs on; build workers have none."""

    device: Device | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PutInputsRequest:
    """Keep these bytes, by number, for the next request: those that the last one did not name. No device is needed."""

    fresh: dict[int, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputsStored:
    """They are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentJob:
    """A ``LaunchJob`` on its way: ``inputs`` maps each buffer to the number of its bytes, which the worker keeps."""

    module: DeviceModule
    plan: LaunchPlan
    inputs: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """Carry out one piece of work."""

    job: SentJob
    options: RunOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRequest:
    """Time two pieces of work against each other, and look at what the submission writes meanwhile."""

    baseline: SentJob
    submission: SentJob
    options: RunOptions
    checks: tuple[OutputCheck, ...]
