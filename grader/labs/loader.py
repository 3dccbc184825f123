"""Load ``lab.toml`` as a ``Manifest``; every error is one line."""

import tomllib
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from grader.config.lines import key_lines
from grader.config.table import Table
from grader.config.wording import display, shown
from grader.labs.consistency import check
from grader.labs.convert import ManifestError, convert, refuse
from grader.labs.finding_rules import FindingTables, finding_rules
from grader.labs.frame import FunctionTable, functions
from grader.labs.manifest import (
    Case,
    KernelRequest,
    Manifest,
    Rubric,
    Rung,
    Sweep,
    Tolerance,
    Use,
)
from grader.labs.needs import NeedsTable, needs_of
from grader.labs.pipeline import Pipeline, PipelineStep, launched_kernels
from grader.labs.program import ProgramRequest
from grader.labs.program_tables import ProgramTable, StructureTable, program_request, structure_rules
from grader.labs.rubric_tables import SpeedTable, TechniqueTable, speed_rules, technique_rules
from grader.model.element_types import C_TYPES, Composite, DType, struct_type
from grader.model.kernel import KernelSpec, Param
from grader.model.plan import Geometry
from grader.model.report import Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.sweep import SweepFigure

SCHEMA_VERSION = 1
"""Version of the ``lab.toml`` format."""


class _Kind(StrEnum):
    """What students of a lab submit."""

    KERNEL = "kernel"
    PROGRAM = "program"


class _Table(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table of ``lab.toml``: unknown keys are errors, so that a misspelt one is not silently ignored."""


class _Kernel(_Table):
    name: str
    params: list[str]
    block: list[str]
    grid: list[str]
    shared: str = "0"
    symbols: list[str] = []
    optional: bool = False


class _Program(_Table):
    name: str
    params: list[str]
    kernels: list[str] | None = None
    steps: list[PipelineStep] = []


class _Struct(_Table):
    name: str
    members: list[str]


class _Rung(_Table):
    name: str
    summary: str
    kernels: list[str] | None = None
    no_gain: dict[Language, str] = {}


class _Case(_Table):
    name: str
    visibility: Visibility
    sizes: dict[str, int]
    inputs: str
    values: dict[str, int | float] = {}
    use: list[Use] = msgspec.field(default_factory=lambda: [Use.CHECK])
    engines: list[EngineKind] = msgspec.field(default_factory=lambda: list(EngineKind))


class _Tolerance(_Table):
    factor: float
    derivation: str


class _Rubric(_Table):
    correctness: float
    agreement: float = 0.0
    technique: list[TechniqueTable] = []
    structure: list[StructureTable] = []
    speed: list[SpeedTable] = []
    findings: FindingTables = {}


class _Sweep(_Table):
    over: str
    values: list[int]
    kernel: str
    rung: str
    shows: SweepFigure = SweepFigure.TIME


class _CaseSet(_Table):
    schema_version: int
    cases: list[_Case]


class _LabToml(_Table):
    schema_version: int
    name: str
    version: str
    title: str
    summary: str
    source: str
    baseline: str
    rungs: list[_Rung]
    tolerance: _Tolerance
    rubric: _Rubric
    kind: _Kind = _Kind.KERNEL
    structs: list[_Struct] = []
    kernels: list[_Kernel] = []
    programs: list[_Program] = []
    frame: list[FunctionTable] = []
    program: ProgramTable | None = None
    forbid: list[str] = []
    macros: dict[str, int] = {}
    cases: list[_Case] = []
    case_set: str | None = None
    common: str | None = None
    files: list[str] = []
    languages: list[Language] = []
    handouts: list[str] = msgspec.field(default_factory=lambda: ["en"])
    sweeps: list[_Sweep] = []
    work: str | None = None
    reads_all_inputs: bool = False
    nearby_sizes: bool = True
    limits: dict[str, int | float] = {}
    needs: NeedsTable = msgspec.field(default_factory=NeedsTable)


def load_manifest(path: Path) -> Manifest:
    """Read and check ``path``. Raises: ``ManifestError``, one line with file and line number."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        refuse(f"{display(path)} cannot be read: {error.strerror}")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        refuse(f"{display(path)} is not TOML: {error}")
    try:
        _check_sizes_are_whole(content)
        toml = convert(content, _LabToml)
        if toml.schema_version != SCHEMA_VERSION:
            found = toml.schema_version
            refuse(
                f"schema_version is {found}; this grader reads {SCHEMA_VERSION}; update it", "schema_version"
            )
        manifest = _manifest(toml)
        check(manifest)
    except ManifestError as error:
        raise with_line(path, error) from None
    return manifest


def _check_sizes_are_whole(content: dict[str, Any]) -> None:
    """Say where numbers that are no sizes belong. Raises: ``ManifestError``."""
    cases = content.get("cases")
    for index, case in enumerate(cases if isinstance(cases, list) else ()):
        sizes = case.get("sizes") if isinstance(case, dict) else None
        for name, size in sizes.items() if isinstance(sizes, dict) else ():
            if isinstance(size, (float, bool)):
                refuse(
                    f"cases[{index}].sizes.{name} is {shown(size)}, and a size is a whole number; "
                    f"a number that kernels get by value stands in values = {{ {name} = {shown(size)} }}",
                    *("cases", index, "sizes", name),
                )


def with_line(path: Path, error: ManifestError) -> ManifestError:
    """``error`` with its line in the manifest at ``path``, which is valid TOML."""
    source = path.read_text(encoding="utf-8")
    table = Table(file=display(path), content=tomllib.loads(source), lines=key_lines(source))
    return ManifestError(table.located(error.where, error.problem))


def _manifest(toml: _LabToml) -> Manifest:
    program = _program(toml)
    structs = _structs(toml.structs)
    return Manifest(
        name=toml.name,
        version=toml.version,
        title=toml.title,
        summary=toml.summary,
        source=toml.source,
        baseline=toml.baseline,
        kernels=tuple(_kernel(kernel, structs) for kernel in toml.kernels),
        rungs=tuple(
            Rung(name=r.name, kernels=_implemented(r, program), summary=r.summary, no_gain=r.no_gain)
            for r in toml.rungs
        ),
        structs=structs,
        languages=tuple(toml.languages),
        cases=tuple(
            Case(
                name=case.name,
                visibility=case.visibility,
                use=frozenset(case.use),
                sizes=case.sizes,
                inputs=case.inputs,
                engines=frozenset(case.engines),
                values=case.values,
            )
            for case in [*_case_set(toml.case_set), *toml.cases]
        ),
        tolerance=Tolerance(factor=toml.tolerance.factor, derivation=toml.tolerance.derivation),
        rubric=Rubric(
            correctness=toml.rubric.correctness,
            agreement=toml.rubric.agreement,
            technique=technique_rules(toml.rubric.technique),
            structure=structure_rules(toml.rubric.structure),
            speed=speed_rules(toml.rubric.speed, toml.baseline, program),
            findings=finding_rules(toml.rubric.findings),
        ),
        forbid=tuple(toml.forbid),
        macros=toml.macros,
        common=toml.common,
        files=tuple(toml.files),
        handouts=tuple(toml.handouts),
        sweeps=tuple(
            Sweep(over=s.over, values=tuple(s.values), kernel=s.kernel, rung=s.rung, shows=s.shows)
            for s in toml.sweeps
        ),
        work=toml.work,
        reads_all_inputs=toml.reads_all_inputs,
        nearby_sizes=toml.nearby_sizes,
        limits=toml.limits,
        needs=needs_of(toml.needs),
        program=program,
        pipelines=tuple(_pipeline(each, structs) for each in toml.programs),
        frame=functions(toml.frame, structs),
    )


def _program(toml: _LabToml) -> ProgramRequest | None:
    """The program that the lab asks for. Raises: ``ManifestError`` for a table of the other kind."""
    if toml.kind is _Kind.KERNEL:
        if toml.program is not None:
            refuse('[program] belongs to a program lab; add kind = "program" at the top', "program")
        if toml.rubric.structure:
            refuse(
                "rubric.structure judges whole programs; use rubric.technique for kernels",
                "rubric",
                "structure",
            )
        return None
    if toml.program is None:
        refuse("a program lab needs a [program] table with device and params", "kind")
    for key, present in (
        ("kernels", toml.kernels),
        ("programs", toml.programs),
        ("frame", toml.frame),
        ("sweeps", toml.sweeps),
        ("macros", toml.macros),
        ("work", toml.work),
    ):
        if present:
            refuse(
                f"{key} belongs to a lab of kernels; a program lab has [program] instead, so remove it", key
            )
    if toml.rubric.technique or toml.rubric.agreement:
        refuse("a program's rubric has correctness, structure, speed and findings; remove the rest", "rubric")
    return program_request(toml.program)


def _implemented(rung: _Rung, program: ProgramRequest | None) -> tuple[str, ...]:
    """What a rung implements. Raises: ``ManifestError``."""
    if program is not None:
        if rung.kernels is not None:
            refuse(
                f"rung {rung.name} of a program lab is a whole program; remove its kernels",
                "rungs",
                rung.name,
            )
        return (program.name,)
    if rung.kernels is None:
        refuse(f"rung {rung.name} needs kernels, the names of those that it implements", "rungs", rung.name)
    return tuple(rung.kernels)


def _case_set(name: str | None) -> list[_Case]:
    """The cases shared by a family of labs: ``case_sets/<name>.toml`` of this package."""
    if name is None:
        return []
    sets = {Path(file.name).stem: file for file in (resources.files("grader.labs") / "case_sets").iterdir()}
    if name not in sets:
        refuse(f"case_set names {name!r}, which is not one of {', '.join(sorted(sets))}", "case_set")
    return msgspec.toml.decode(sets[name].read_bytes(), type=_CaseSet).cases


def _structs(tables: list[_Struct]) -> tuple[Composite, ...]:
    """The element types that the lab declares. Raises: ``ManifestError``."""
    made: dict[str, Composite] = {}
    for index, table in enumerate(tables):
        where = ("structs", index)
        if not table.name.isidentifier():
            refuse(f"structs: {table.name!r} is no name of a C struct; write e.g. Ray", *where, "name")
        if table.name in made or table.name in C_TYPES or table.name in {each.value for each in DType}:
            refuse(f"structs: there is a type {table.name} already; take another name", *where, "name")
        try:
            made[table.name] = struct_type(table.name, table.members)
        except ValueError as error:
            refuse(f"struct {table.name}: {error}", *where, "members")
    return tuple(made.values())


def _kernel(kernel: _Kernel, structs: tuple[Composite, ...]) -> KernelRequest:
    where = ("kernels", kernel.name)
    return KernelRequest(
        spec=KernelSpec(
            name=kernel.name,
            params=_params(kernel.params, structs, f"kernel {kernel.name}", *where, "params"),
            symbols=_params(kernel.symbols, structs, f"kernel {kernel.name}", *where, "symbols"),
        ),
        launch=Geometry(grid=tuple(kernel.grid), block=tuple(kernel.block), shared=kernel.shared),
        optional=kernel.optional,
    )


def _pipeline(table: _Program, structs: tuple[Composite, ...]) -> Pipeline:
    where = ("programs", table.name)
    launched = tuple(dict.fromkeys(launched_kernels(table.steps)))
    if not launched and not table.kernels:
        refuse(
            f"program {table.name} needs steps; where lab.py has them, name the kernels that they launch",
            *where,
        )
    return Pipeline(
        spec=KernelSpec(
            name=table.name,
            params=_params(table.params, structs, f"program {table.name}", *where, "params"),
        ),
        kernels=launched or tuple(table.kernels or ()),
        steps=tuple(table.steps),
    )


def _params(
    texts: list[str], structs: tuple[Composite, ...], what: str, *where: str | int
) -> tuple[Param, ...]:
    params = []
    for index, text in enumerate(texts):
        try:
            params.append(Param.parse(text, structs))
        except ValueError as error:
            refuse(f"{what}: {error}", *where, index)
    return tuple(params)
