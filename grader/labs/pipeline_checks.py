"""Checks of ``[[programs]]`` when a lab is loaded: names, and a trial of the steps on every case."""

from grader.labs.convert import refuse
from grader.labs.geometry import GeometryError
from grader.labs.manifest import Case, Manifest
from grader.labs.pipeline import Pipeline, carry_out
from grader.labs.steps import Steps, SubmittedKernels, role_of
from grader.model.plan import LaunchPlan, Role


def check_pipelines(manifest: Manifest) -> None:
    """Check the names of programs and of what they launch. Raises: ``ManifestError``."""
    kernels = [kernel.spec.name for kernel in manifest.kernels]
    names: list[str] = []
    for pipeline in manifest.pipelines:
        name = pipeline.spec.name
        where = ("programs", name)
        if name in kernels or name in names:
            refuse(f"there is a kernel or program {name} already; take another name", *where, "name")
        names.append(name)
        for kernel in pipeline.kernels:
            if kernel not in kernels:
                refuse(
                    f"program {name} launches {kernel!r}, which is not one of {', '.join(kernels)}",
                    *where,
                    "steps",
                )
    launched = {kernel for pipeline in manifest.pipelines for kernel in pipeline.kernels}
    for request in manifest.kernels:
        if request.optional and request.spec.name not in launched:
            refuse(
                f"kernel {request.spec.name} is optional, and no program launches it; remove optional",
                "kernels",
                request.spec.name,
                "optional",
            )


def _check_written(manifest: Manifest, pipeline: Pipeline, plan: LaunchPlan) -> None:
    """Check that a step writes each output. Raises: ``ValueError``."""
    written = {step.transfer.target for step in plan.ordered if step.transfer is not None}
    for launch in plan.launches:
        params = manifest.kernel(launch.kernel).spec.params
        pairs = zip(params, launch.args, strict=True)
        written |= {given for param, given in pairs if isinstance(given, str) and not param.const}
    outputs = [each.name for each in pipeline.spec.params if each.is_array and role_of(each) is Role.OUTPUT]
    for name in outputs:
        if name not in written:
            msg = f"{name} is an output, and no step writes it; pass it to a launch, or copy to it"
            raise ValueError(msg)


def check_steps(manifest: Manifest, pipeline: Pipeline, case: Case) -> None:
    """Carry out the steps of ``pipeline`` in ``lab.toml`` on ``case``, without a device. Raises: ``ManifestError``."""
    if not pipeline.steps:
        return
    names = {**case.sizes, **manifest.macros}
    steps = Steps(manifest, pipeline.spec, case, SubmittedKernels(manifest.geometries), names)
    try:
        carry_out(pipeline, steps)
        _check_written(manifest, pipeline, steps.plan())
    except (GeometryError, ValueError) as error:
        refuse(
            f"program {pipeline.spec.name}, case {case.name}: {error}",
            "programs",
            pipeline.spec.name,
            "steps",
        )
