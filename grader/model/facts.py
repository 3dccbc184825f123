"""Facts: what compiling, checking, observing and timing found about one submission.

Facts hold no points, thresholds, titles or visibility. Those belong to the rubric, and ``grader.judge.score`` turns
facts and a rubric into a report. So facts are stored once, and a change of the rubric runs nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from grader.model.device import Device
from grader.model.diagnostic import Diagnostic
from grader.model.location import SourceLocation
from grader.model.module import DeviceProbe, KernelResources
from grader.model.performance_bounds import Arithmetic
from grader.model.program import Activity, CheckableCall
from grader.model.reason import Reason
from grader.model.report import Isolation, SecondsUsed
from grader.model.run import Counters, EngineKind, Fault, TimedComparison
from grader.model.submission import Language
from grader.model.trace import Trace
from grader.model.verdict import Verdict
from grader.model.wrong_map import WrongMap

FACTS_VERSION = 3
"""Version of the encoded document; it rises when readers of the old version would misread the new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What the emulator counted in one run: memory traffic in bytes, operations by arithmetic, launch size.

    ``moved_bytes`` are those of the sectors touched by accesses to global memory; ``footprint_bytes`` as in
    ``Counters``. ``threads_per_block`` is that of the last kernel, ``shared_bytes`` the most per block of any.
    """

    threads_per_block: int
    shared_bytes: int
    moved_bytes: int
    footprint_bytes: int
    float32: int
    float64: int
    int32: int

    def operations(self, arithmetic: Arithmetic) -> int:
        """Operations in ``arithmetic``."""
        by_kind = {
            Arithmetic.FLOAT32: self.float32,
            Arithmetic.FLOAT64: self.float64,
            Arithmetic.INT32: self.int32,
        }
        return by_kind[arithmetic]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedBytes:
    """Bytes of the buffers of the timing case: of all inputs, and of all arrays that the kernel reads and writes."""

    read: int
    touched: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFacts:
    """What the build found about one kernel. ``clock_reading`` and ``device_probe`` are those of ``BuiltKernel``."""

    resources: KernelResources
    location: SourceLocation
    clock_reading: SourceLocation | None = None
    device_probe: DeviceProbe | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOutcome:
    """The verdict of one kernel in one case. ``wrong_map`` shows which elements are wrong, if that says more."""

    name: str
    verdict: Verdict
    reason: Reason
    wrong_map: WrongMap | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBlocks:
    """What the emulator observed of drawn blocks of ``case`` at its full size.

    ``counters`` are those of these blocks alone; empty where ``unfinished`` says why they were not counted.
    ``only_here``: a line of code that makes up much of their work and never runs on sizes near those of the case.
    ``other_code``: a line of most of their work, in code that the observed case does not run, while they do not run
    most of its code.
    """

    case: str
    counters: tuple[Counters, ...] = ()
    unfinished: Reason | None = None
    only_here: SourceLocation | None = None
    other_code: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorCheck:
    """Whether the program noticed that ``call`` failed, where it was made to fail."""

    call: CheckableCall
    is_noticed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramFacts:
    """What was found about a whole program beside its answers, on ``device``, which the emulator imitates.

    ``traces`` are by the name of a case. ``activities`` are the first of the observed case, of ``activity_count``.
    ``needed_in`` and ``needed_out`` are the bytes of the inputs and outputs of that case. Where times are measured,
    ``measured_on`` is the GPU, and ``flags`` are reasons to distrust them.
    """

    device: str
    traces: Mapping[str, Trace] = field(default_factory=dict)
    activities: tuple[Activity, ...] = ()
    activity_count: int = 0
    needed_in: int = 0
    needed_out: int = 0
    checks: tuple[ErrorCheck, ...] = ()
    measured_on: str = ""
    flags: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelFacts:
    """What was found about one kernel, or program, that the lab asks for. Mappings are by the name of a case or rung.

    ``build_fault``: why it was not built, ``timing_fault``: why it could not be timed, ``limit_fault``: why its grading
    stopped before the last stage. ``built`` is missing without a
    build. Each diagnostic names the case that showed it. ``observed`` are the emulator's counters of the case that a
    report shows line by line, empty if the kernel did not finish it. ``drawn`` is about blocks of the timing case,
    where that is another case. ``counted`` sums up each case that the emulator counted. ``comparisons`` have every
    sample, by rung; ``rungs_counted`` is the work of these rungs on the observed case. ``timed_bytes`` is missing
    without a valid launch of the timing case. ``program`` is about a whole program that ran.
    """

    name: str
    build_fault: Fault | None = None
    limit_fault: Fault | None = None
    built: BuiltFacts | None = None
    cases: tuple[CaseOutcome, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    printed: Mapping[str, str] = field(default_factory=dict)
    observed: tuple[Counters, ...] = ()
    drawn: DrawnBlocks | None = None
    counted: Mapping[str, Work] = field(default_factory=dict)
    timed_bytes: TimedBytes | None = None
    timing_fault: Fault | None = None
    comparisons: Mapping[str, TimedComparison] = field(default_factory=dict)
    rungs_counted: Mapping[str, Work] = field(default_factory=dict)
    program: ProgramFacts | None = None

    @property
    def fault(self) -> Fault | None:
        """Why it cannot be run or timed, regardless of its cases."""
        return self.build_fault or self.limit_fault or self.timing_fault

    @property
    def all_cases_passed(self) -> bool:
        """Whether every case that ran passed; false if none ran."""
        return bool(self.cases) and all(case.verdict.earns_correctness for case in self.cases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Whether all kernels finished all cases, and the first two kernels that disagree in each case."""

    complete: bool = False
    disagreements: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything found about one submission to ``lab`` on one device.

    ``seed`` determines the inputs. ``timing_case`` is the case on which kernels are timed, ``observed_case`` the one
    that a report shows line by line. ``build_fault``: nothing could be built.
    ``diagnostics`` belong to no single kernel. ``seconds`` are those that its workers used.
    """

    lab: str
    language: Language
    engine: EngineKind
    device: Device
    isolation: Isolation
    seed: int
    kernels: tuple[KernelFacts, ...]
    agreement: Agreement = field(default_factory=Agreement)
    build_fault: Fault | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    timing_case: str | None = None
    observed_case: str | None = None
    seconds: SecondsUsed | None = None
    version: int = FACTS_VERSION


class _Versioned(msgspec.Struct):
    """The part of the document that every version has."""

    version: int


_decoder = msgspec.json.Decoder(Facts)


def encode_facts(facts: Facts) -> bytes:
    """``facts`` as a JSON document; ``decode_facts`` gives an equal value."""
    return msgspec.json.encode(facts)


def decode_facts(data: bytes) -> Facts:
    """The facts in a document of ``FACTS_VERSION``. Raises: ``ValueError`` for any other document."""
    if (found := msgspec.json.decode(data, type=_Versioned).version) != FACTS_VERSION:
        msg = f"facts of version {found}; this release reads version {FACTS_VERSION}"
        raise ValueError(msg)
    return _decoder.decode(data)
