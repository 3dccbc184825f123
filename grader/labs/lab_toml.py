"""The tables of ``lab.toml`` as they are written."""

from enum import StrEnum

import msgspec

from grader.labs.finding_rules import FindingTables
from grader.labs.frame import FunctionTable
from grader.labs.manifest import Use
from grader.labs.needs import NeedsTable
from grader.labs.pipeline import PipelineStep
from grader.labs.program_tables import ProgramTable, StructureTable
from grader.labs.rubric_tables import SpeedTable, TechniqueTable
from grader.model.report import Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.sweep import SweepFigure

SCHEMA_VERSION = 1
"""Version of the ``lab.toml`` format."""


class Kind(StrEnum):
    """What students of a lab submit."""

    KERNEL = "kernel"
    PROGRAM = "program"


Scalar = bool | int | float | list[bool | int | float]
"""A number, or the components of a vector."""


class TomlTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table of ``lab.toml``: unknown keys are errors, so that a misspelt one is not silently ignored."""


class KernelTable(TomlTable):
    """A kernel that students write."""

    name: str
    params: list[str]
    block: list[str]
    grid: list[str]
    shared: str = "0"
    symbols: list[str] = []
    optional: bool = False


class PipelineTable(TomlTable):
    """Several kernels that are graded as one program."""

    name: str
    params: list[str]
    kernels: list[str] | None = None
    steps: list[PipelineStep] = []


class StructTable(TomlTable):
    """A struct that kernels take elements of."""

    name: str
    members: list[str]


class RungTable(TomlTable):
    """A reference variant."""

    name: str
    summary: str
    kernels: list[str] | None = None
    no_gain: dict[Language, str] = {}


class CaseTable(TomlTable):
    """A case of the lab."""

    name: str
    visibility: Visibility
    sizes: dict[str, int]
    inputs: str
    values: dict[str, Scalar | dict[str, Scalar]] = {}
    use: list[Use] = msgspec.field(default_factory=lambda: [Use.CHECK])
    engines: list[EngineKind] = msgspec.field(default_factory=lambda: list(EngineKind))


class ToleranceTable(TomlTable):
    """How far an answer may be off."""

    factor: float
    derivation: str


class RubricTable(TomlTable):
    """What earns points."""

    correctness: float
    agreement: float = 0.0
    technique: list[TechniqueTable] = []
    structure: list[StructureTable] = []
    speed: list[SpeedTable] = []
    findings: FindingTables = {}
    weights: dict[str, float] = {}


class SweepTable(TomlTable):
    """A figure over a parameter."""

    over: str
    values: list[int]
    kernel: str
    rung: str
    shows: SweepFigure = SweepFigure.TIME


class CaseSet(TomlTable):
    """Cases that several labs share."""

    schema_version: int
    cases: list[CaseTable]


class LabToml(TomlTable):
    """The whole file."""

    schema_version: int
    name: str
    version: str
    title: str
    summary: str
    source: str
    baseline: str
    rungs: list[RungTable]
    tolerance: ToleranceTable
    rubric: RubricTable
    kind: Kind = Kind.KERNEL
    structs: list[StructTable] = []
    kernels: list[KernelTable] = []
    programs: list[PipelineTable] = []
    frame: list[FunctionTable] = []
    program: ProgramTable | None = None
    forbid: list[str] = []
    macros: dict[str, int] = {}
    cases: list[CaseTable] = []
    case_set: str | None = None
    common: str | None = None
    files: list[str] = []
    languages: list[Language] = []
    handouts: list[str] = msgspec.field(default_factory=lambda: ["en"])
    sweeps: list[SweepTable] = []
    work: str | None = None
    reads_all_inputs: bool = False
    nearby_sizes: bool = True
    limits: dict[str, int | float] = {}
    needs: NeedsTable = msgspec.field(default_factory=NeedsTable)
