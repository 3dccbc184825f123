"""Consistency checks of a manifest: names exist, expressions have a value, counts are above zero."""

import re
from dataclasses import fields
from typing import NoReturn

from grader.config.rules import RULE, Rule
from grader.config.settings import LimitSettings
from grader.labs.geometry import FUNCTION_NAMES, GeometryError, evaluate, launch_shape
from grader.labs.manifest import Case, Manifest, Sweep, Use
from grader.model.report import Visibility

_NAME = re.compile(r"[A-Za-z_]\w*")
"""The name of a size in an array dimension."""

_LIMITS: dict[str, Rule] = {
    limit.name: limit.metadata[RULE] for limit in fields(LimitSettings) if not limit.name.startswith("max_")
}
"""The limits that a lab may tighten: all but the intake limits (``max_source_kib``, ``max_files``)."""


class ManifestError(ValueError):
    """``lab.toml`` is invalid; the text names the problem and the table."""


def check(manifest: Manifest) -> None:
    """Check what the types of ``manifest`` cannot express. Raises: ``ManifestError`` for the first inconsistency."""
    kernels = [kernel.spec.name for kernel in manifest.kernels]
    rungs = [rung.name for rung in manifest.rungs]
    cases = [case.name for case in manifest.cases]
    for what, names in (("kernels", kernels), ("rungs", rungs), ("cases", cases)):
        if not names:
            refuse(f"there are no {what}; add at least one [[{what}]] table")
        if len(set(names)) != len(names):
            refuse(f"two {what} have the same name; rename one")
    _check_names(manifest, kernels, rungs)
    for case in manifest.cases:
        _check_sizes(manifest, case)
        _check_work(manifest, case)
    for sweep in manifest.sweeps:
        _check_sweep(manifest, sweep)
    check_patterns(manifest.files)
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
        refuse('the rubric has speed points but no case is used for timing; give one use = ["check", "time"]')
    hidden = [case.name for case in timed if case.visibility is Visibility.HIDDEN]
    if hidden and any(rule.over is None for rule in manifest.rubric.speed):
        refuse(
            f"the rubric has roofline points, and their report reveals the size of the hidden case {hidden[0]}; "
            "time public cases only"
        )


def _check_sweep(manifest: Manifest, sweep: Sweep) -> None:
    where = f"sweep over {sweep.over}"
    sizes = {size for case in manifest.cases for size in case.sizes}
    _known(where, sweep.over, sorted(manifest.macros.keys() | sizes))
    _known(where, sweep.rung, [rung.name for rung in manifest.rungs])
    _known(where, sweep.kernel, list(manifest.rung(sweep.rung).kernels))
    if not sweep.values or min(sweep.values) < 0:
        refuse(f"{where}: values must be a list of at least one whole number, none negative")


def _check_sizes(manifest: Manifest, case: Case) -> None:
    for kernel in manifest.kernels:
        dims = [dim for param in kernel.spec.params for dim in param.dims]
        needed = {name for dim in dims for name in _NAME.findall(dim)} - FUNCTION_NAMES
        needed |= {param.name for param in kernel.spec.params if not param.is_array}
        missing = needed - case.sizes.keys()
        if missing:
            refuse(
                f"case {case.name}: no size for {', '.join(sorted(missing))}, which {kernel.spec.name} needs"
            )
        try:
            launch_shape(kernel.launch, case.sizes | manifest.macros)
            for dim in dims:
                evaluate(dim, case.sizes)
        except GeometryError as error:
            refuse(f"kernel {kernel.spec.name}, case {case.name}: {error}")


def _check_work(manifest: Manifest, case: Case) -> None:
    if manifest.work is not None:
        try:
            evaluate(manifest.work, case.sizes)
        except GeometryError as error:
            refuse(f"work, case {case.name}: {error}")


def _check_limits(manifest: Manifest) -> None:
    for name, most in manifest.limits.items():
        _known("limits", name, sorted(_LIMITS))
        if not _LIMITS[name].accepts(most):
            refuse(f"limits: {name} must be {_LIMITS[name].expected}")


def check_patterns(patterns: tuple[str, ...]) -> None:
    """Check the patterns of ``files``. Raises: ``ManifestError``."""
    for pattern in patterns:
        if not pattern or "\\" in pattern or {"", ".", ".."} & set(pattern.split("/")):
            refuse(f"files: {pattern!r} is no path inside a student's folder, such as src/*.cu")


def _known(where: str, name: str, names: list[str]) -> None:
    if name not in names:
        refuse(f"{where} names {name!r}, which is not one of {', '.join(names)}")


def refuse(problem: str) -> NoReturn:
    """Reject the manifest because of ``problem``. Raises: ``ManifestError``, always."""
    msg = f"lab.toml: {problem}"
    raise ManifestError(msg)
