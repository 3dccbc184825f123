"""What ``lab.toml`` says, as values: a lab's kernels, rungs, cases, tolerance and rubric."""

from dataclasses import dataclass, field
from enum import StrEnum

from grader.model.kernel import KernelSpec
from grader.model.plan import Geometry
from grader.model.report import Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.sweep import SweepFigure


class Use(StrEnum):
    """What a case is for: checking outputs, or timing."""

    CHECK = "check"
    TIME = "time"


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelRequest:
    """A kernel the student must hand in, with the lab's default launch geometry."""

    spec: KernelSpec
    launch: Geometry


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """A reference kernel file of the ladder and the lab's kernels it implements.

    Its sources are ``reference/<lab>/<name>.cu`` and ``<name>.py``; the handout says why one is missing. ``no_gain``
    says, by language, why the rung is not faster than those before it today: it stands in the ladder for what it
    teaches, and the ladder need not rise there.
    """

    name: str
    kernels: tuple[str, ...]
    summary: str
    no_gain: dict[Language, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One input size and distribution. ``sizes`` are the names that shapes and geometry refer to.

    ``inputs`` names the distribution; its meaning is the lab's. ``engines``: where the case is run (a size that only
    a GPU can carry names ``cuda`` alone).
    """

    name: str
    visibility: Visibility
    use: frozenset[Use]
    sizes: dict[str, int]
    inputs: str
    engines: frozenset[EngineKind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """How far a right answer may stray: ``|out - value| <= factor * u * scale``, u the output type's unit roundoff.

    ``scale`` comes with each expected element (``Expected.scale``); ``derivation`` says why that bound is right.
    ``factor = 0`` asks for exact equality.
    """

    factor: float
    derivation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """One variable of a kernel tried over ``values``, everything else as it is.

    ``over`` names one of the lab's macros, which is compiled in, or one of its sizes. ``kernel`` is what is launched,
    ``rung`` the reference file to show it with.
    """

    over: str
    values: tuple[int, ...]
    kernel: str
    rung: str
    shows: SweepFigure = SweepFigure.TIME


class TechniqueCheck(StrEnum):
    """How a kernel must have been written, seen in its resources and counters."""

    USES_SHARED = "uses-shared-memory"
    NO_SHARED = "no-shared-memory"
    NO_BANK_CONFLICTS = "no-bank-conflicts"
    COALESCED = "coalesced"


@dataclass(frozen=True, slots=True, kw_only=True)
class TechniqueRule:
    """Points for one technique in one kernel."""

    kernel: str
    check: TechniqueCheck
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRule:
    """Points for one kernel's speed: ``at_least`` times as fast as ``over`` (a rung's name; the baseline by default).

    A rung-relative threshold has ``at_least`` below one: ``0.8`` of ``shared_padded``.
    """

    kernel: str
    at_least: float
    points: float
    over: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """How points add up. ``correctness`` is shared evenly by kernels, then by their cases."""

    correctness: float
    agreement: float = 0.0
    technique: tuple[TechniqueRule, ...] = ()
    speed: tuple[SpeedRule, ...] = ()

    @property
    def max_score(self) -> float:
        """The most a submission can get."""
        technique = sum(rule.points for rule in self.technique)
        speed = sum(rule.points for rule in self.speed)
        return self.correctness + self.agreement + technique + speed


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Everything a lab states without code.

    ``baseline`` names the rung speedups are measured against. ``common`` names a folder beside the rungs' own whose
    files every rung may include or import. ``handouts`` are the handout's languages, as ISO 639-1 codes. ``work`` is an
    expression over a case's sizes that the number of operations grows with. ``limits`` are those of
    ``grader.toml`` that the lab tightens, by name.
    """

    name: str
    version: str
    title: str
    summary: str
    source: str
    kernels: tuple[KernelRequest, ...]
    rungs: tuple[Rung, ...]
    baseline: str
    cases: tuple[Case, ...]
    tolerance: Tolerance
    rubric: Rubric
    forbid: tuple[str, ...] = ()
    macros: dict[str, int] = field(default_factory=dict)
    common: str | None = None
    handouts: tuple[str, ...] = ("en",)
    sweeps: tuple[Sweep, ...] = ()
    work: str | None = None
    limits: dict[str, float] = field(default_factory=dict)

    def kernel(self, name: str) -> KernelRequest:
        """The kernel called ``name``. Raises: ``KeyError``."""
        for kernel in self.kernels:
            if kernel.spec.name == name:
                return kernel
        raise KeyError(name)

    def rung(self, name: str) -> Rung:
        """The rung called ``name``. Raises: ``KeyError``."""
        for rung in self.rungs:
            if rung.name == name:
                return rung
        raise KeyError(name)
