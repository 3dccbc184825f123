"""The record of one graded submission, and the document that holds a class: ``results.json``."""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.diagnostic import Diagnostic
from grader.model.run import AccessSite, EngineKind, LineProfile
from grader.model.submission import Language
from grader.model.verdict import Verdict

SCHEMA_VERSION = 1
"""Version of the results document; raised when a reader of the old one would misread the new one."""


class Visibility(StrEnum):
    """Whether students see a case's inputs and sizes."""

    PUBLIC = "public"
    HIDDEN = "hidden"


class SpeedupKind(StrEnum):
    """Where a speedup comes from: a clock, or the emulator's cost model."""

    MEASURED = "measured"
    MODELLED = "modelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speedup:
    """Time of the baseline rung over time of the submission, with its interval."""

    value: float
    low: float
    high: float
    kind: SpeedupKind
    baseline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """One case of one kernel."""

    name: str
    visibility: Visibility
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Static needs of a kernel and the occupancy (0..1) they allow on the engine's device, with what limits it."""

    registers: int
    spill_bytes: int
    shared_bytes: int
    occupancy: float
    limiter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelReport:
    """One kernel the lab asks for. ``seconds`` is its time on the lab's timing case, of the speedup's kind.

    ``lines`` and ``sites`` are what its lines did on the lab's largest public case for the emulator; empty where it did
    not come to its end there. ``printed`` is what it printed in the first case in which it printed anything.
    """

    name: str
    verdict: Verdict
    reason: str
    cases: tuple[CaseReport, ...]
    speedup: Speedup | None
    seconds: float | None
    resources: Resources | None
    diagnostics: tuple[Diagnostic, ...]
    lines: tuple[LineProfile, ...] = ()
    sites: tuple[AccessSite, ...] = ()
    printed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One line of the rubric: points given of points possible, and why."""

    name: str
    score: float
    max_score: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One graded submission. ``diagnostics`` are those that belong to no single kernel (build messages)."""

    student: str
    lab: str
    file: str
    language: Language
    verdict: Verdict
    reason: str
    score: float
    max_score: float
    parts: tuple[Part, ...]
    kernels: tuple[KernelReport, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineInfo:
    """What ran the kernels: the engine and the device it is or imitates."""

    kind: EngineKind
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsDocument:
    """A graded class, as written to ``results.json``. ``created_at`` is ISO 8601 in UTC."""

    schema_version: int
    grader_version: str
    created_at: str
    engine: EngineInfo
    reports: tuple[Report, ...]
