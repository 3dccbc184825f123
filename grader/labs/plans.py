"""The plan of what a lab grades on a case: from the steps of its manifest, or from its class."""

from collections.abc import Mapping

from grader.labs.lab import Lab
from grader.labs.manifest import Case
from grader.labs.pipeline import carry_out
from grader.labs.steps import Steps, SubmittedKernels
from grader.model.kernel import KernelSpec
from grader.model.plan import LaunchPlan


def plan_of(
    lab: Lab,
    graded: KernelSpec,
    case: Case,
    kernels: SubmittedKernels,
    names: Mapping[str, int],
) -> LaunchPlan:
    """The launches of ``graded``, a kernel or a program, on ``case``. Arguments as those of ``Steps``.

    Raises: what the lab's code raises.
    """
    pipeline = lab.manifest.pipeline(graded.name)
    if pipeline is None and not lab.has_steps and not graded.symbols:
        return lab.plan_for(graded, case, kernels.geometries[graded.name], names)
    steps = Steps(lab.manifest, graded, case, kernels, names)
    if pipeline is not None and pipeline.steps:
        carry_out(pipeline, steps)
    else:
        lab.steps(graded, case, steps)
    return steps.plan()
