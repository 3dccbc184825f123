"""The report of one graded submission, and those of a class."""

from dataclasses import dataclass
from enum import StrEnum

from grader.model.diagnostic import Diagnostic
from grader.model.performance_bounds import Arithmetic
from grader.model.program import Activity
from grader.model.reason import Reason, reason
from grader.model.review import Adjustment, Review
from grader.model.run import AccessSite, EngineKind, LineProfile, TimedPair
from grader.model.submission import Language
from grader.model.trace import Trace
from grader.model.verdict import Verdict
from grader.model.wrong_map import WrongMap


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
    """One case of one kernel. ``wrong_map`` shows which elements are wrong in a public case."""

    name: str
    visibility: Visibility
    verdict: Verdict
    reason: Reason
    wrong_map: WrongMap | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Resources of a kernel, the occupancy (0..1) they allow on the engine's device, and its limiter.

    ``active_blocks`` and ``active_warps`` are what one SM holds; ``advice`` says how to raise the occupancy, if
    one change does.
    """

    registers: int
    spill_bytes: int
    shared_bytes: int
    occupancy: float
    limiter: str
    active_blocks: int = 0
    active_warps: int = 0
    advice: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RungPoint:
    """The figures of the rung kernel that a submission was timed against."""

    rung: str
    intensity: float
    operations_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofline:
    """Operations of a kernel per byte, and its share of the device's limits.

    ``intensity`` is operations per byte that its accesses move, counted on the case that the emulator shows;
    ``best_intensity`` the same if every byte of its arrays crossed the memory bus once. ``bound`` is the most
    operations per second at ``intensity`` if all of it comes from memory, by ``peak`` and ``bandwidth`` of the device.
    ``operations_per_second`` and ``bytes_per_second`` (of the arrays, each once) are what it reached on the timing
    case, which has ``visibility``; ``share`` is of the bound, above 1 if caches help.
    """

    arithmetic: Arithmetic
    intensity: float
    best_intensity: float
    bound: float
    peak: float
    bandwidth: float
    operations_per_second: float | None
    bytes_per_second: float | None
    share: float | None
    visibility: Visibility
    rungs: tuple[RungPoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyHiding:
    """Whether an SM has enough warps to work while others wait for global memory.

    A warp issues ``instructions`` per load. To hide ``latency`` clock cycles an SM needs ``needed`` warps; it holds
    ``there``, at most ``most``.
    """

    latency: float
    clocks_per_instruction: float
    instructions: float
    needed: int
    there: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The samples of a speedup over ``rung``, in the order of measurement.

    ``launches``, ``dropped`` and ``clock`` are those of ``Comparison``. ``took``: duration of the whole measurement in
    seconds by the grader's own clock, if it was recorded.
    """

    rung: str
    kind: SpeedupKind
    pairs: tuple[TimedPair, ...]
    launches: int = 1
    dropped: int = 0
    clock: float | None = None
    took: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramReport:
    """What a whole program did on the lab's largest public case, modelled for ``device``.

    ``activities`` are the first of ``activity_count``.
    """

    device: str
    trace: Trace
    activities: tuple[Activity, ...]
    activity_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelReport:
    """One kernel, or program, that the lab asks for.

    ``seconds`` is its time on the lab's timing case, of the speedup's kind.
    ``lines`` and ``sites`` count what its lines did on the lab's largest public case for the emulator; empty if it did
    not finish that case. ``printed`` is its output in the first public case in which it printed.
    ``suspicion`` is the reason why it is flagged: it earns no speed points before a staff review.
    ``timings`` has the samples for each rung that it was timed against; ``speedup`` follows from them.
    ``timing_visibility`` is that of the timing case. ``program`` is about a whole program that ran.
    """

    name: str
    verdict: Verdict
    reason: Reason
    cases: tuple[CaseReport, ...]
    speedup: Speedup | None
    seconds: float | None
    resources: Resources | None
    diagnostics: tuple[Diagnostic, ...]
    lines: tuple[LineProfile, ...] = ()
    sites: tuple[AccessSite, ...] = ()
    printed: str = ""
    roofline: Roofline | None = None
    latency: LatencyHiding | None = None
    suspicion: Reason | None = None
    timing_visibility: Visibility = Visibility.PUBLIC
    timings: tuple[Timing, ...] = ()
    program: ProgramReport | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """Points that a review may still grant, and the reason that the report then gives."""

    score: float
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One line of the rubric: points, possible points, reason. ``withheld``: points that await a staff review.

    ``name`` is the English ``title``, by which programs know the line; reports of older graders have no title.
    ``waits_for_gpu``: no run on the emulator can earn its points here.
    """

    name: str
    score: float
    max_score: float
    reason: Reason
    withheld: Withheld | None = None
    waits_for_gpu: bool = False
    title: Reason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    """The isolation between a submission and the machine.

    ``sandbox`` is the name of the sandbox in which it was built and run. ``trusted``: the user declared the submission
    trusted, which allows a sandbox that stops no attack.
    """

    sandbox: str
    trusted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondsUsed:
    """Seconds in which workers built and ran a submission, and the most that it may use."""

    used: float
    limit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One graded submission. ``diagnostics`` are those that belong to no single kernel, such as build messages.

    ``isolation`` is missing if nothing of the submission ran. ``lab_version`` is the version in the lab's manifest; it
    is empty in reports of older graders. ``review`` is the staff decision about its flagged kernels,
    ``adjustment`` the one that replaces its points or verdict. ``engine`` is what ran it, if not the document's engine;
    a program runs on the device that its lab names.
    ``hidden_cases`` are the names of the lab's hidden cases, whether or not they ran. ``time_used`` is missing in
    reports of older graders, and for students if hidden cases ran: it depends on these.
    """

    student: str
    lab: str
    file: str
    language: Language
    verdict: Verdict
    reason: Reason
    score: float
    max_score: float
    parts: tuple[Part, ...]
    kernels: tuple[KernelReport, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    isolation: Isolation | None = None
    lab_version: str = ""
    review: Review | None = None
    adjustment: Adjustment | None = None
    engine: "EngineInfo | None" = None
    hidden_cases: tuple[str, ...] = ()
    time_used: SecondsUsed | None = None

    @property
    def is_excused(self) -> bool:
        """Whether staff excused the student from the lab, so that it does not count."""
        return self.adjustment is not None and self.adjustment.excused

    @property
    def waiting(self) -> float:
        """Points that no run on the emulator can earn, because a GPU must measure the speed."""
        return sum(part.max_score for part in self.parts if part.waits_for_gpu)

    @property
    def earnable(self) -> float:
        """Points that can be earned where the submission ran."""
        return self.max_score - self.waiting

    @property
    def flag_reason(self) -> Reason | None:
        """Why staff must review the submission, whatever else is wrong with it; ``None`` if no kernel is suspicious."""
        reasons = (
            reason("in-kernel", kernel=each.name, reason=each.reason)
            for each in self.kernels
            if each.verdict is Verdict.SUSPICIOUS
        )
        return next(reasons, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineInfo:
    """What ran the kernels: the engine and the device it is or imitates."""

    kind: EngineKind
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsDocument:
    """A graded class. ``created_at`` is ISO 8601 in UTC."""

    grader_version: str
    created_at: str
    engine: EngineInfo
    reports: tuple[Report, ...]
