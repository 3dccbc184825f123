"""``lab.toml`` to a ``Manifest``, with one clear line for whatever is wrong in it."""

import re
import tomllib
from dataclasses import fields
from importlib import resources
from pathlib import Path

import msgspec

from grader.config.rules import RULE, Rule
from grader.config.settings import LimitSettings
from grader.labs.geometry import FUNCTION_NAMES, GeometryError, evaluate, launch_shape
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
"""Version of ``lab.toml``'s spelling."""


_NAME = re.compile(r"[A-Za-z_]\w*")
"""A size's name in an array's extent."""


_LIMITS: dict[str, Rule] = {
    limit.name: limit.metadata[RULE] for limit in fields(LimitSettings) if not limit.name.startswith("max_")
}
"""What a lab may tighten. How much is read of a hand-in (``max_source_kib``, ``max_files``) is not the lab's to say."""


class ManifestError(ValueError):
    """``lab.toml`` cannot be used; its text says what is wrong and where."""


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
        msg = f"lab.toml: schema_version is {toml.schema_version}; this grader reads {SCHEMA_VERSION}"
        raise ManifestError(msg)
    manifest = _manifest(toml)
    _check(manifest)
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
    """The cases that the labs of one kind share: ``case_sets/<name>.toml`` of the package."""
    if name is None:
        return []
    sets = {Path(file.name).stem: file for file in (resources.files("grader.labs") / "case_sets").iterdir()}
    if name not in sets:
        _fail(f"case_set names {name!r}, which is not one of {', '.join(sorted(sets))}")
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


def _check(manifest: Manifest) -> None:
    """What the types cannot say: names that must exist, counts that must not be zero."""
    kernels = [kernel.spec.name for kernel in manifest.kernels]
    rungs = [rung.name for rung in manifest.rungs]
    cases = [case.name for case in manifest.cases]
    for what, names in (("kernels", kernels), ("rungs", rungs), ("cases", cases)):
        if not names:
            _fail(f"no {what}")
        if len(set(names)) != len(names):
            _fail(f"two {what} of the same name")
    _check_names(manifest, kernels, rungs)
    for case in manifest.cases:
        _check_sizes(manifest, case)
        _check_work(manifest, case)
    for sweep in manifest.sweeps:
        _check_sweep(manifest, sweep)
    _check_limits(manifest)
    _check_timing(manifest)


def _check_names(manifest: Manifest, kernels: list[str], rungs: list[str]) -> None:
    _known("baseline", manifest.baseline, rungs)
    for rung in manifest.rungs:
        for kernel in rung.kernels:
            _known(f"rung {rung.name}", kernel, kernels)
    for technique in manifest.rubric.technique:
        _known("rubric", technique.kernel, kernels)
    for speed in manifest.rubric.speed:
        _known("rubric", speed.kernel, kernels)
        if speed.over is not None:
            _known("rubric", speed.over, rungs)


def _check_timing(manifest: Manifest) -> None:
    timed = [case for case in manifest.cases if Use.TIME in case.use]
    if manifest.rubric.speed and not timed:
        _fail('the rubric has speed points but no case is used for timing; give one use = ["check", "time"]')
    hidden = [case.name for case in timed if case.visibility is Visibility.HIDDEN]
    if hidden and any(rule.over is None for rule in manifest.rubric.speed):
        _fail(
            f"the rubric has points for the roofline, whose figures tell the size of the hidden case {hidden[0]}; "
            "time public cases only"
        )


def _check_sweep(manifest: Manifest, sweep: Sweep) -> None:
    where = f"sweep over {sweep.over}"
    sizes = {size for case in manifest.cases for size in case.sizes}
    _known(where, sweep.over, sorted(manifest.macros.keys() | sizes))
    _known(where, sweep.rung, [rung.name for rung in manifest.rungs])
    _known(where, sweep.kernel, list(manifest.rung(sweep.rung).kernels))
    if not sweep.values or min(sweep.values) < 0:
        _fail(f"{where}: values must be whole numbers from 0 on, at least one")


def _check_sizes(manifest: Manifest, case: Case) -> None:
    for kernel in manifest.kernels:
        dims = [dim for param in kernel.spec.params for dim in param.dims]
        needed = {name for dim in dims for name in _NAME.findall(dim)} - FUNCTION_NAMES
        needed |= {param.name for param in kernel.spec.params if not param.is_array}
        missing = needed - case.sizes.keys()
        if missing:
            _fail(
                f"case {case.name}: no size for {', '.join(sorted(missing))}, which {kernel.spec.name} needs"
            )
        try:
            launch_shape(kernel.launch, case.sizes | manifest.macros)
            for dim in dims:
                evaluate(dim, case.sizes)
        except GeometryError as error:
            _fail(f"kernel {kernel.spec.name}, case {case.name}: {error}")


def _check_work(manifest: Manifest, case: Case) -> None:
    if manifest.work is not None:
        try:
            evaluate(manifest.work, case.sizes)
        except GeometryError as error:
            _fail(f"work, case {case.name}: {error}")


def _check_limits(manifest: Manifest) -> None:
    for name, most in manifest.limits.items():
        _known("limits", name, sorted(_LIMITS))
        if not _LIMITS[name].accepts(most):
            _fail(f"limits: {name} must be {_LIMITS[name].expected}")


def _known(where: str, name: str, names: list[str]) -> None:
    if name not in names:
        _fail(f"{where} names {name!r}, which is not one of {', '.join(names)}")


def _fail(problem: str) -> None:
    msg = f"lab.toml: {problem}"
    raise ManifestError(msg)
