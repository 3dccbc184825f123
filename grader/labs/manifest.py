"""What ``lab.toml`` says, as values: a lab's kernels, rungs, cases, tolerance and rubric."""

import math
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

    @property
    def extent(self) -> int:
        """How large it is among the lab's cases: the product of its sizes."""
        return math.prod(self.sizes.values())


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
class Tier:
    """All that a kernel can have got once its ratio is ``at_least`` so much: ``points``, not on top of lower tiers."""

    at_least: float
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """Points in steps: the highest tier that is met counts. ``steps`` rise in both ratio and points."""

    steps: tuple[Tier, ...]

    @property
    def points(self) -> float:
        """The most there is to get."""
        return self.steps[-1].points

    @property
    def targets(self) -> tuple[float, ...]:
        """The ratios at which points change, rising."""
        return tuple(tier.at_least for tier in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear:
    """Points that grow with the ratio: none up to ``start``, all ``points`` from ``full`` on."""

    start: float
    full: float
    points: float

    @property
    def targets(self) -> tuple[float, ...]:
        """The ratios at which points begin and cease to grow."""
        return (self.start, self.full)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRule:
    """Points for one kernel's speed: how many ``scorer`` gives for its ratio to what it is held ``over``.

    ``over`` is a rung's name: the ratio is the rung's time over the kernel's. A threshold below one then asks for a
    fraction of that rung: ``0.8`` of ``shared_padded``. ``None`` is the device's roofline: the ratio is the share of
    the bound that the kernel reaches.
    """

    kernel: str
    scorer: Tiers | Linear
    over: str | None

    @property
    def points(self) -> float:
        """The most there is to get."""
        return self.scorer.points

    @property
    def targets(self) -> tuple[float, ...]:
        """The ratios at which points change, rising."""
        return self.scorer.targets


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

    def targets(self, kernel: str, over: str) -> tuple[float, ...]:
        """The speedups of ``kernel`` over the rung ``over`` at which points change, rising."""
        rules = [rule for rule in self.speed if (rule.kernel, rule.over) == (kernel, over)]
        return tuple(sorted({target for rule in rules for target in rule.targets}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Everything a lab states without code.

    ``baseline`` names the rung speedups are measured against. ``common`` names a folder beside the rungs' own whose
    files every rung may include or import. ``handouts`` are the handout's languages, as ISO 639-1 codes. ``work`` is an
    expression over a case's sizes that the number of operations grows with. ``reads_all_inputs``:
    no right answer can be had without reading every byte of every input, so a time too short for that cannot be.
    ``limits`` are those of ``grader.toml`` that the lab tightens, by name.
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
    reads_all_inputs: bool = False
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
