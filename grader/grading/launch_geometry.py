"""Settle with which geometry each kernel of a submission is launched, and say so.

A launch directive is the student's word for every case. A launch in host code was written for the sizes of its own
program. If its grid is the lab's there, the lab's grid is used for the other sizes. If the lab refuses it in a case,
the lab's geometry is used in all.
"""

from collections.abc import Mapping
from dataclasses import replace

from grader.labs import plans
from grader.labs.geometry import GeometryError, launch_shape
from grader.labs.lab import Lab
from grader.labs.steps import SubmittedKernels
from grader.model.build import BuildOutcome
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.module import HostOrigin
from grader.model.plan import Dim3, Geometry
from grader.model.reason import Reason, reason
from grader.model.report import Visibility


def settle_geometries(lab: Lab, outcome: BuildOutcome) -> BuildOutcome:
    """``outcome`` with geometries of host code that fit every case of ``lab``, and a diagnostic about each."""
    if outcome.module is None:
        return outcome
    kernels, diagnostics = [], list(outcome.diagnostics)
    for kernel in outcome.module.kernels:
        if kernel.host_origin is None or kernel.geometry is None:
            kernels.append(kernel)
            continue
        geometry, said = _for_every_size(lab, kernel.name, kernel.geometry, kernel.host_origin)
        severity = Severity.NOTE
        refused = _refusal(lab, kernel.name, geometry, kernel.host_origin)
        if refused is None:
            kernels.append(replace(kernel, geometry=geometry))
        else:
            severity, said = Severity.WARNING, refused
            kernels.append(replace(kernel, geometry=None, host_origin=None))
        location = kernel.host_origin.location
        kind = DiagnosticKind.HOST_LAUNCH
        diagnostics.append(
            Diagnostic(kind=kind, severity=severity, message=said, file=location.file, line=location.line)
        )
    module = replace(outcome.module, kernels=tuple(kernels))
    return replace(outcome, module=module, diagnostics=tuple(diagnostics))


def _for_every_size(lab: Lab, kernel: str, geometry: Geometry, origin: HostOrigin) -> tuple[Geometry, Reason]:
    """The geometry for all sizes, and the statement that it is used."""
    default = lab.manifest.kernel(kernel).launch
    labs = replace(geometry, grid=default.grid)
    own = _grid(lab, geometry, origin.sizes)
    sizes = [case.sizes for case in lab.manifest.cases]
    same = all(_grid(lab, geometry, each) == _grid(lab, labs, each) for each in sizes)
    if same or own is None or own != _grid(lab, labs, origin.sizes):
        used = str(geometry)
        return geometry, reason("launched-as-host", location=origin.location, kernel=kernel, geometry=used)
    shown = tuple(f"{name} = {size}" for name, size in sorted(origin.sizes.items()))
    said = reason(
        "launched-with-lab-grid", location=origin.location, kernel=kernel, sizes=shown, geometry=str(labs)
    )
    return labs, said


def _grid(lab: Lab, geometry: Geometry, sizes: Mapping[str, int]) -> Dim3 | None:
    """The grid at ``sizes``; ``None`` if they do not suffice."""
    try:
        return launch_shape(geometry, {**sizes, **lab.manifest.macros}).grid
    except GeometryError:
        return None


def _refusal(lab: Lab, kernel: str, geometry: Geometry, origin: HostOrigin) -> Reason | None:
    """Why the lab does not launch ``kernel`` with ``geometry`` in every case; a public case is preferred."""
    kernels = SubmittedKernels(lab.manifest.geometries | {kernel: geometry})
    for case in sorted(lab.manifest.cases, key=lambda each: each.visibility is Visibility.HIDDEN):
        try:
            for graded in lab.manifest.owners(kernel):
                spec = lab.manifest.spec(graded)
                plans.plan_of(lab, spec, case, kernels, {**case.sizes, **lab.manifest.macros})
        except GeometryError as error:
            hidden = case.visibility is Visibility.HIDDEN
            problem = reason("geometry-refused-in-hidden-case") if hidden else error.reason
            return reason(
                "host-launch-refused",
                location=origin.location,
                kernel=kernel,
                problem=problem,
                directive=origin.directive,
            )
    return None
