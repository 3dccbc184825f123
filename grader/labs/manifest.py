"""The contents of ``lab.toml`` as values: a lab's kernels, rungs, cases, tolerance and rubric."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from grader.labs.finding_rules import FindingRule
from grader.labs.pipeline import Pipeline
from grader.labs.program import ProgramRequest, StructureRule
from grader.model.element_types import Composite
from grader.model.kernel import FunctionSpec, KernelSpec
from grader.model.needs import Needs
from grader.model.plan import Geometry
from grader.model.report import Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.sweep import SweepFigure


class Use(StrEnum):
    """The purpose of a case: checking outputs, or timing."""

    CHECK = "check"
    TIME = "time"


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelRequest:
    """A kernel that students submit, with the lab's default launch geometry.

    ``optional``: programs that launch it leave it out where a submission does not have it.
    """

    spec: KernelSpec
    launch: Geometry
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """A reference kernel file of the ladder and the lab's kernels it implements.

    Its sources are ``reference/<lab>/<name>.cu`` and ``<name>.py``; the handout says why one is missing. A rung of a
    program lab is a whole program. ``no_gain``
    gives, by language, the reason why the rung is not faster than those before it: the rung is kept for teaching, and
    the ladder need not rise there.
    """

    name: str
    kernels: tuple[str, ...]
    summary: str
    no_gain: dict[Language, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One input size and distribution. ``sizes`` are the names used in array shapes and launch geometry.

    ``values`` is what else kernels get by value, such as a factor: a number, the components of a vector in a list, or
    the members of a struct by name. No shape depends on them.
    ``inputs`` names the distribution; the lab interprets it. ``engines`` run the case (``cuda`` alone if the size is
    too large for the emulator).
    """

    name: str
    visibility: Visibility
    use: frozenset[Use]
    sizes: dict[str, int]
    inputs: str
    engines: frozenset[EngineKind]
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def extent(self) -> int:
        """A measure of size among the lab's cases: the product of its sizes."""
        return math.prod(self.sizes.values())


def largest_public(cases: Iterable[Case]) -> Case | None:
    """Largest public checking case for the emulator; ``None`` without one.

    On small and ragged sizes even the best code touches a few extra sectors; the largest case has many warps and
    blocks. It is public, so the student can see its inputs.
    """
    public = [
        case
        for case in cases
        if case.visibility is Visibility.PUBLIC
        and Use.CHECK in case.use
        and EngineKind.EMULATOR in case.engines
    ]
    return max(public, key=lambda case: case.extent, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """The error bound of a correct output: ``|out - value| <= factor * u * scale``, u the output type's unit roundoff.

    ``scale`` comes with each expected element (``Expected.scale``); ``derivation`` justifies the bound. ``factor = 0``
    requires exact equality.
    """

    factor: float
    derivation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """A parameter sweep: one variable of a kernel takes each of ``values``, everything else stays fixed.

    ``over`` names one of the lab's macros, which is compiled in, or one of its sizes. ``kernel`` is launched; ``rung``
    is the default source.
    """

    over: str
    values: tuple[int, ...]
    kernel: str
    rung: str
    shows: SweepFigure = SweepFigure.TIME


class TechniqueCheck(StrEnum):
    """A technique that a kernel must use, checked by its resources and counters."""

    USES_SHARED = "uses-shared-memory"
    NO_SHARED = "no-shared-memory"
    NO_BANK_CONFLICTS = "no-bank-conflicts"
    COALESCED = "coalesced"


@dataclass(frozen=True, slots=True, kw_only=True)
class TechniqueRule:
    """Points for one technique in one kernel.

    ``at_least``: the share of the loaded bytes that must pass through shared memory; ``None``: the usual one.
    """

    kernel: str
    check: TechniqueCheck
    points: float
    at_least: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """The total ``points`` for a ratio of ``at_least``; lower tiers are not added."""

    at_least: float
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """Points in steps: the highest tier reached counts. ``steps`` rise in both ratio and points."""

    steps: tuple[Tier, ...]

    @property
    def points(self) -> float:
        """The maximum number of points."""
        return self.steps[-1].points

    @property
    def targets(self) -> tuple[float, ...]:
        """The ratios at which points change, rising."""
        return tuple(tier.at_least for tier in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear:
    """Points that grow linearly with the ratio: none up to ``start``, all ``points`` from ``full`` on."""

    start: float
    full: float
    points: float

    @property
    def targets(self) -> tuple[float, ...]:
        """The ratios at which points start and stop growing."""
        return (self.start, self.full)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRule:
    """Points for one kernel's speed: ``scorer`` maps its ratio to points.

    If ``over`` is a rung's name, the ratio is the rung's time over the kernel's; a threshold below one asks for a
    fraction of the rung's speed, such as ``0.8`` of ``shared_padded``. If it is ``None``, the ratio is the share of the
    device's roofline that the kernel reaches.
    """

    kernel: str
    scorer: Tiers | Linear
    over: str | None

    @property
    def points(self) -> float:
        """The maximum number of points."""
        return self.scorer.points

    @property
    def targets(self) -> tuple[float, ...]:
        """The ratios at which points change, rising."""
        return self.scorer.targets


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """How points are awarded. ``correctness`` is divided among what is graded, then evenly among the cases.

    ``weights``: by the name of a kernel or program, its share of ``correctness`` relative to the others; 1 by default.
    ``findings``: what findings of undefined behaviour take from the correctness of a kernel. ``structure``: points for
    how a whole program copies, waits and releases.
    """

    correctness: float
    agreement: float = 0.0
    technique: tuple[TechniqueRule, ...] = ()
    structure: tuple[StructureRule, ...] = ()
    speed: tuple[SpeedRule, ...] = ()
    findings: tuple[FindingRule, ...] = ()
    weights: dict[str, float] = field(default_factory=dict, hash=False)

    def correctness_of(self, graded: str, others: Iterable[str]) -> float:
        """The points for the correctness of ``graded``, one of ``others``."""
        return (
            self.correctness * self.weights.get(graded, 1) / sum(self.weights.get(each, 1) for each in others)
        )

    @property
    def max_score(self) -> float:
        """The maximum score of a submission."""
        of_rules = [rule.points for rules in (self.technique, self.structure, self.speed) for rule in rules]
        return self.correctness + self.agreement + sum(of_rules)

    def targets(self, kernel: str, over: str) -> tuple[float, ...]:
        """The speedups of ``kernel`` over the rung ``over`` at which points change, rising."""
        rules = [rule for rule in self.speed if (rule.kernel, rule.over) == (kernel, over)]
        return tuple(sorted({target for rule in rules for target in rule.targets}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Everything a lab states without code.

    ``baseline`` names the rung that speedups are measured against. ``common`` names a folder beside the rungs' own
    with files that every rung may include or import. ``files`` are patterns for the source files of a student's
    folder that belong to a submission (see ``intake.FileRule``); empty means all. ``handouts`` are languages as ISO
    639-1 codes. ``work`` is an expression over a case's sizes to which the number of operations is proportional.
    ``reads_all_inputs``: a correct kernel must read every byte of every input, so a time too short for that is
    implausible. ``nearby_sizes``: the lab allows all sizes of the kind that its cases have, so a right kernel is
    also checked at drawn ones near those of the timing case. ``limits`` are the limits of ``grader.toml`` that the
    lab tightens, by name. ``program``: the lab asks for a whole program, and for no ``kernels``. ``pipelines`` are
    programs of several of its kernels, each graded as one. ``frame``: the functions that students write instead of
    kernels. ``structs`` are the lab's own element types. ``languages`` are those in which students may submit;
    empty means all. ``needs`` are those of the device on which a job of the lab runs.
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
    files: tuple[str, ...] = ()
    handouts: tuple[str, ...] = ("en",)
    sweeps: tuple[Sweep, ...] = ()
    work: str | None = None
    reads_all_inputs: bool = False
    nearby_sizes: bool = True
    limits: dict[str, float] = field(default_factory=dict)
    program: ProgramRequest | None = None
    pipelines: tuple[Pipeline, ...] = ()
    frame: tuple[FunctionSpec, ...] = ()
    structs: tuple[Composite, ...] = ()
    languages: tuple[Language, ...] = ()
    needs: Needs = field(default_factory=Needs)

    def takes(self, language: Language) -> bool:
        """Whether students may submit in ``language``."""
        return not self.languages or language in self.languages

    @property
    def graded(self) -> tuple[str, ...]:
        """The names of what is graded: the whole program, or the kernels that are no part of a pipeline, and those."""
        if self.program is not None:
            return (self.program.name,)
        parts = {kernel for pipeline in self.pipelines for kernel in pipeline.kernels}
        alone = (kernel.spec.name for kernel in self.kernels if kernel.spec.name not in parts)
        return (*alone, *(pipeline.spec.name for pipeline in self.pipelines))

    def pipeline(self, name: str) -> Pipeline | None:
        """The pipeline called ``name``, if there is one."""
        return next((each for each in self.pipelines if each.spec.name == name), None)

    def spec(self, graded: str) -> KernelSpec:
        """What is graded as ``graded``: the parameters of a kernel, a pipeline or the program. Raises: ``KeyError``."""
        if self.program is not None and graded == self.program.name:
            return self.program.spec
        pipeline = self.pipeline(graded)
        return self.kernel(graded).spec if pipeline is None else pipeline.spec

    def parts(self, graded: str) -> tuple[str, ...]:
        """The kernels that compute what is graded as ``graded``: those of a pipeline, or itself."""
        pipeline = self.pipeline(graded)
        return (graded,) if pipeline is None else pipeline.kernels

    def owners(self, kernel: str) -> tuple[str, ...]:
        """What is graded with ``kernel``: itself, or the pipelines that it is a part of."""
        if kernel in self.graded:
            return (kernel,)
        return tuple(each.spec.name for each in self.pipelines if kernel in each.kernels)

    @property
    def geometries(self) -> dict[str, Geometry]:
        """The lab's own launch geometry of each kernel."""
        return {kernel.spec.name: kernel.launch for kernel in self.kernels}

    def kernel(self, name: str) -> KernelRequest:
        """The kernel called ``name``. Raises: ``KeyError``."""
        for kernel in self.kernels:
            if kernel.spec.name == name:
                return kernel
        raise KeyError(name)

    def case(self, name: str) -> Case:
        """The case called ``name``. Raises: ``KeyError``."""
        for case in self.cases:
            if case.name == name:
                return case
        raise KeyError(name)

    def rung(self, name: str) -> Rung:
        """The rung called ``name``. Raises: ``KeyError``."""
        for rung in self.rungs:
            if rung.name == name:
                return rung
        raise KeyError(name)
