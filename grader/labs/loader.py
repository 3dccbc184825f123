"""Load ``lab.toml`` as a ``Manifest``; every error is one line."""

import tomllib
from importlib import resources
from pathlib import Path

import msgspec

from grader.labs.consistency import ManifestError, check, refuse
from grader.labs.manifest import (
    Case,
    KernelRequest,
    Manifest,
    Rubric,
    Rung,
    SpeedRule,
    Sweep,
    TechniqueCheck,
    TechniqueRule,
    Tolerance,
    Use,
)
from grader.labs.speed_table import SpeedTable
from grader.model.kernel import KernelSpec, Param
from grader.model.plan import Geometry
from grader.model.report import Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.sweep import SweepFigure

SCHEMA_VERSION = 1
"""Version of the ``lab.toml`` format."""


class _Table(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table of ``lab.toml``: unknown keys are errors, so that a misspelt one is not silently ignored."""


class _Kernel(_Table):
    name: str
    params: list[str]
    block: list[str]
    grid: list[str]
    shared: str = "0"


class _Rung(_Table):
    name: str
    kernels: list[str]
    summary: str
    no_gain: dict[Language, str] = {}


class _Case(_Table):
    name: str
    visibility: Visibility
    sizes: dict[str, int]
    inputs: str
    use: list[Use] = msgspec.field(default_factory=lambda: [Use.CHECK])
    engines: list[EngineKind] = msgspec.field(default_factory=lambda: list(EngineKind))


class _Tolerance(_Table):
    factor: float
    derivation: str


class _TechniqueRule(_Table):
    kernel: str
    check: TechniqueCheck
    points: float


class _Rubric(_Table):
    correctness: float
    agreement: float = 0.0
    technique: list[_TechniqueRule] = []
    speed: list[SpeedTable] = []


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
    kernels: list[_Kernel]
    rungs: list[_Rung]
    tolerance: _Tolerance
    rubric: _Rubric
    forbid: list[str] = []
    macros: dict[str, int] = {}
    cases: list[_Case] = []
    case_set: str | None = None
    common: str | None = None
    files: list[str] = []
    handouts: list[str] = msgspec.field(default_factory=lambda: ["en"])
    sweeps: list[_Sweep] = []
    work: str | None = None
    reads_all_inputs: bool = False
    limits: dict[str, int | float] = {}


def load_manifest(path: Path) -> Manifest:
    """Read and check ``path``. Raises: ``ManifestError``, one line without the path."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        toml = msgspec.convert(raw, _LabToml)
    except OSError as error:
        msg = f"lab.toml cannot be read: {error.strerror}"
        raise ManifestError(msg) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        msg = f"lab.toml: {error}"
        raise ManifestError(msg) from None
    if toml.schema_version != SCHEMA_VERSION:
        msg = f"lab.toml: schema_version is {toml.schema_version}; this grader reads {SCHEMA_VERSION}; update it"
        raise ManifestError(msg)
    manifest = _manifest(toml)
    check(manifest)
    return manifest


def _manifest(toml: _LabToml) -> Manifest:
    return Manifest(
        name=toml.name,
        version=toml.version,
        title=toml.title,
        summary=toml.summary,
        source=toml.source,
        baseline=toml.baseline,
        kernels=tuple(_kernel(kernel) for kernel in toml.kernels),
        rungs=tuple(
            Rung(name=r.name, kernels=tuple(r.kernels), summary=r.summary, no_gain=r.no_gain)
            for r in toml.rungs
        ),
        cases=tuple(
            Case(
                name=case.name,
                visibility=case.visibility,
                use=frozenset(case.use),
                sizes=case.sizes,
                inputs=case.inputs,
                engines=frozenset(case.engines),
            )
            for case in [*_case_set(toml.case_set), *toml.cases]
        ),
        tolerance=Tolerance(factor=toml.tolerance.factor, derivation=toml.tolerance.derivation),
        rubric=Rubric(
            correctness=toml.rubric.correctness,
            agreement=toml.rubric.agreement,
            technique=tuple(
                TechniqueRule(kernel=rule.kernel, check=rule.check, points=rule.points)
                for rule in toml.rubric.technique
            ),
            speed=tuple(
                _speed_rule(number, table, toml.baseline)
                for number, table in enumerate(toml.rubric.speed, start=1)
            ),
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
        limits=toml.limits,
    )


def _case_set(name: str | None) -> list[_Case]:
    """The cases shared by a family of labs: ``case_sets/<name>.toml`` of this package."""
    if name is None:
        return []
    sets = {Path(file.name).stem: file for file in (resources.files("grader.labs") / "case_sets").iterdir()}
    if name not in sets:
        refuse(f"case_set names {name!r}, which is not one of {', '.join(sorted(sets))}")
    return msgspec.toml.decode(sets[name].read_bytes(), type=_CaseSet).cases


def _kernel(kernel: _Kernel) -> KernelRequest:
    try:
        params = tuple(Param.parse(text) for text in kernel.params)
    except ValueError as error:
        msg = f"lab.toml: kernel {kernel.name}: {error}"
        raise ManifestError(msg) from None
    return KernelRequest(
        spec=KernelSpec(name=kernel.name, params=params),
        launch=Geometry(grid=tuple(kernel.grid), block=tuple(kernel.block), shared=kernel.shared),
    )


def _speed_rule(number: int, table: SpeedTable, baseline: str) -> SpeedRule:
    try:
        return table.rule(baseline)
    except ValueError as error:
        msg = f"lab.toml: rubric.speed {number} ({table.kernel}): {error}"
        raise ManifestError(msg) from None
