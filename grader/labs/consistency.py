"""Consistency checks of a manifest: names exist, expressions have a value, counts are above zero."""

import math
import re
from dataclasses import fields

from grader.config.rules import RULE, Rule
from grader.config.settings import LimitSettings
from grader.labs.by_value import by_value, example
from grader.labs.convert import refuse
from grader.labs.geometry import FUNCTION_NAMES, GeometryError, evaluate, launch_shape
from grader.labs.manifest import Case, Manifest, Rubric, Sweep, Use
from grader.labs.pipeline_checks import check_pipelines, check_steps
from grader.languages import installed
from grader.model.kernel import KernelSpec, Param
from grader.model.report import Visibility
from grader.model.run import EngineKind

_NAME = re.compile(r"[A-Za-z_]\w*")
"""The name of a size in an array dimension."""

_HANDOUT = re.compile(r"[a-z]{2}")
"""A language by its ISO 639-1 code."""

_LIMITS: dict[str, Rule] = {
    limit.name: limit.metadata[RULE] for limit in fields(LimitSettings) if not limit.name.startswith("max_")
}
"""The limits that a lab may tighten: all but the intake limits (``max_source_kib``, ``max_files``)."""


def check(manifest: Manifest) -> None:
    """Check what the types of ``manifest`` cannot express. Raises: ``ManifestError`` for the first inconsistency."""
    kernels = [kernel.spec.name for kernel in manifest.kernels] or list(manifest.graded)
    rungs = [rung.name for rung in manifest.rungs]
    cases = [case.name for case in manifest.cases]
    check_pipelines(manifest)
    for what, names in (("kernels", kernels), ("rungs", rungs), ("cases", cases)):
        if not names:
            refuse(f"there are no {what}; add at least one [[{what}]] table")
        if twice := [name for name in names if names.count(name) > 1]:
            refuse(f"two {what} have the same name {twice[0]!r}; rename one", what, twice[0])
    _check_names(manifest, list(manifest.graded), rungs)
    if not 0 <= manifest.tolerance.factor < math.inf:
        refuse(
            f"tolerance.factor is {manifest.tolerance.factor:g}; write a number of 0 or more",
            "tolerance",
            "factor",
        )
    _check_words(manifest)
    for case in manifest.cases:
        _check_sizes(manifest, case)
        _check_work(manifest, case)
    for sweep in manifest.sweeps:
        _check_sweep(manifest, sweep)
    check_patterns(manifest.files)
    _check_limits(manifest)
    check_rubric(manifest)


def check_rubric(manifest: Manifest) -> None:
    """Check the rubric and what depends on the visibility of cases. Raises: ``ManifestError``."""
    _check_rules(manifest)
    _check_points(manifest.rubric)
    _check_timing(manifest)


def _check_names(manifest: Manifest, kernels: list[str], rungs: list[str]) -> None:
    _known("baseline", manifest.baseline, rungs, "baseline")
    for rung in manifest.rungs:
        for kernel in rung.kernels:
            where = ("rungs", rung.name, "kernels")
            owners = manifest.owners(kernel)
            if owners and kernel not in kernels:
                refuse(f"rung {rung.name}: {kernel} is a part of {owners[0]}; write {owners[0]}", *where)
            _known(f"rung {rung.name}", kernel, kernels, *where)


def _check_words(manifest: Manifest) -> None:
    """Engines and languages are open words, for results that name another package's; a manifest names known ones."""
    for rung in manifest.rungs:
        for language in rung.no_gain:
            _known(f"rung {rung.name}", language, list(installed()), "rungs", rung.name, "no_gain", language)
    for index, code in enumerate(manifest.handouts):
        if _HANDOUT.fullmatch(code) is None:
            refuse(f"handouts: {code!r} is no code of a language; write e.g. en, ru or zh", "handouts", index)
    for index, language in enumerate(manifest.languages):
        _known("languages", language, list(installed()), "languages", index)
    for case in manifest.cases:
        for engine in sorted(case.engines):
            _known(f"case {case.name}", engine, list(EngineKind), "cases", case.name, "engines")


def _check_rules(manifest: Manifest) -> None:
    kernels = list(manifest.graded)
    rungs = [rung.name for rung in manifest.rungs]
    with_parts = [*kernels, *(part for each in manifest.pipelines for part in each.kernels)]
    for name, weight in manifest.rubric.weights.items():
        _known("rubric.weights", name, kernels, "rubric", "weights", name)
        if not 0 < weight < math.inf:
            refuse(f"rubric.weights: {name} is {weight:g}; write a number above 0", "rubric", "weights", name)
    for index, technique in enumerate(manifest.rubric.technique):
        _known("rubric.technique", technique.kernel, with_parts, "rubric", "technique", index, "kernel")
    for index, speed in enumerate(manifest.rubric.speed):
        _known("rubric.speed", speed.kernel, kernels, "rubric", "speed", index, "kernel")
        if speed.over is not None:
            _known("rubric.speed", speed.over, rungs, "rubric", "speed", index, "over")


def _check_points(rubric: Rubric) -> None:
    """The points of speed rules are checked where they are read."""
    parts: list[tuple[float, tuple[str | int, ...]]] = [
        (rubric.correctness, ("correctness",)),
        (rubric.agreement, ("agreement",)),
        *((rule.points, ("technique", index, "points")) for index, rule in enumerate(rubric.technique)),
    ]
    for points, where in parts:
        if not 0 <= points < math.inf:
            refuse(f"points must be zero or more, not {points:g}", "rubric", *where)


def _check_timing(manifest: Manifest) -> None:
    timed = [case for case in manifest.cases if Use.TIME in case.use]
    if manifest.rubric.speed and not timed:
        refuse(
            'the rubric has speed points but no case is used for timing; give one use = ["check", "time"]',
            "rubric",
            "speed",
        )
    hidden = [case.name for case in timed if case.visibility is Visibility.HIDDEN]
    roofline = [index for index, rule in enumerate(manifest.rubric.speed) if rule.over is None]
    if hidden and roofline:
        refuse(
            f"the rubric has roofline points, and their report reveals the size of the hidden case {hidden[0]}; "
            "time public cases only",
            "rubric",
            "speed",
            roofline[0],
        )


def _check_sweep(manifest: Manifest, sweep: Sweep) -> None:
    what = f"sweep over {sweep.over}"
    path = ("sweeps", manifest.sweeps.index(sweep))
    sizes = {size for case in manifest.cases for size in case.sizes}
    _known(what, sweep.over, sorted(manifest.macros.keys() | sizes), *path, "over")
    _known(what, sweep.rung, [rung.name for rung in manifest.rungs], *path, "rung")
    _known(what, sweep.kernel, list(manifest.rung(sweep.rung).kernels), *path, "kernel")
    if not sweep.values or min(sweep.values) < 0:
        refuse(f"{what}: values must be a list of at least one whole number, none negative", *path, "values")


def _check_sizes(manifest: Manifest, case: Case) -> None:
    parts = {part for each in manifest.pipelines for part in each.kernels}
    for pipeline in manifest.pipelines:
        _check_params(pipeline.spec, case, "programs", pipeline.spec.name)
        check_steps(manifest, pipeline, case)
    for kernel in manifest.kernels:
        if kernel.spec.name in parts:
            continue  # its sizes may be arguments of the steps, which are carried out instead
        _check_params(kernel.spec, case, "kernels", kernel.spec.name)
        try:
            launch_shape(kernel.launch, case.sizes | manifest.macros)
        except GeometryError as error:
            refuse(f"kernel {kernel.spec.name}, case {case.name}: {error}", "kernels", kernel.spec.name)
    if manifest.program is not None:
        _check_params(manifest.program.spec, case, "program", "params")


def _check_params(spec: KernelSpec, case: Case, *where: str) -> None:
    """Check that ``case`` has every size of the parameters of ``spec``, which is stated at ``where``."""
    dims = [dim for param in (*spec.params, *spec.symbols) for dim in param.dims]
    needed = {name for dim in dims for name in _NAME.findall(dim)} - FUNCTION_NAMES
    needed |= {param.name for param in spec.params if not param.is_array}
    missing = needed - case.sizes.keys() - case.values.keys()
    if missing:
        name = min(missing)
        shown = next((example(each.dtype) for each in spec.params if each.name == name), "1")
        refuse(
            f"case {case.name}: no size or value for {', '.join(sorted(missing))}, which {spec.name} needs; "
            f"add it to sizes, or where no array has that size, write values = {{ {name} = {shown} }}",
            "cases",
            case.name,
            "sizes",
        )
    for param in spec.params:
        if not param.is_array:
            _check_number(param, case)
    try:
        for dim in dims:
            if (count := evaluate(dim, case.sizes)) < 1:
                refuse(
                    f"{spec.name}, case {case.name}: [{dim}] is {count}, and an array has at least one element",
                    *where,
                )
    except GeometryError as error:
        refuse(f"{spec.name}, case {case.name}: {error}", *where)


def _check_number(param: Param, case: Case) -> None:
    """Check that ``case`` gives the value of ``param`` once, in its type."""
    if param.name in case.values and param.name in case.sizes:
        refuse(f"case {case.name}: {param.name} is both a size and a value; remove one", "cases", case.name)
    table = "sizes" if param.name in case.sizes else "values"
    try:
        by_value(param, {**case.values, **case.sizes}[param.name])
    except ValueError as error:
        refuse(f"case {case.name}: {error}", "cases", case.name, table, param.name)


def _check_work(manifest: Manifest, case: Case) -> None:
    if manifest.work is not None:
        try:
            evaluate(manifest.work, case.sizes)
        except GeometryError as error:
            refuse(f"work, case {case.name}: {error}", "work")


def _check_limits(manifest: Manifest) -> None:
    for name, most in manifest.limits.items():
        _known("limits", name, sorted(_LIMITS), "limits", name)
        if not _LIMITS[name].accepts(most):
            refuse(f"limits: {name} must be {_LIMITS[name]}", "limits", name)


def check_patterns(patterns: tuple[str, ...]) -> None:
    """Check the patterns of ``files``. Raises: ``ManifestError``."""
    for index, pattern in enumerate(patterns):
        if not pattern or "\\" in pattern or {"", ".", ".."} & set(pattern.split("/")):
            refuse(
                f"files: {pattern!r} is no path inside a student's folder, such as src/*.cu", "files", index
            )


def _known(what: str, name: str, names: list[str], *where: str | int) -> None:
    if name not in names:
        refuse(f"{what} names {str(name)!r}, which is not one of {', '.join(names)}", *where)
