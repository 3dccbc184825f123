"""A known-good kernel as a control: it shows whether a failure is the machine's."""

from typing import TYPE_CHECKING

import numpy as np

from grader.compile.toolchain import sample_request
from grader.errors import InfrastructureError
from grader.languages import LanguageSupport, support
from grader.messages import render
from grader.model.build import BuildOutcome
from grader.model.element_types import DType
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import LaunchJob
from grader.model.submission import Language

if TYPE_CHECKING:
    from grader.grading.environment import GradingEnvironment

_THREADS = 64
_OUTPUT = "out"


def confirm_builds(environment: "GradingEnvironment", language: Language) -> None:
    """Build the sample kernel of ``language``. Raises: ``InfrastructureError``: the machine is at fault."""
    _require(_build_problem(_built(environment, support(language))))


def confirm_runs(environment: "GradingEnvironment", language: Language) -> None:
    """Build and run the sample kernel. Raises: ``InfrastructureError``: the machine is at fault."""
    _require(sample_problem(environment, support(language)))


def sample_problem(environment: "GradingEnvironment", language: LanguageSupport) -> str:
    """What is wrong with the sample kernel of ``language``, built and run; empty if nothing is.

    Raises: ``GraderError``.
    """
    outcome = _built(environment, language)
    if outcome.module is None:
        return _build_problem(outcome)
    (kernel,) = sample_request(language, environment.device.arch).kernels
    buffer = Buffer(name=_OUTPUT, dtype=DType.INT32, shape=(_THREADS,), role=Role.OUTPUT)
    shape = LaunchShape(grid=Dim3(), block=Dim3(x=_THREADS))
    plan = LaunchPlan(buffers=(buffer,), launches=(Launch(kernel=kernel.name, shape=shape, args=(_OUTPUT,)),))
    with environment.own_session() as session:
        result = session.run(LaunchJob(module=outcome.module, plan=plan, inputs={}))
    if result.fault is not None:
        return render(result.fault.reason)
    written = np.frombuffer(result.outputs[_OUTPUT], np.int32)
    return "" if np.array_equal(written, np.arange(_THREADS)) else "the kernel wrote wrong values"


def _built(environment: "GradingEnvironment", language: LanguageSupport) -> BuildOutcome:
    return environment.build_own(sample_request(language, environment.device.arch))


def _build_problem(outcome: BuildOutcome) -> str:
    if outcome.module is not None:
        return ""
    return render(outcome.fault.reason) if outcome.fault else "the build made no code"


def _require(problem: str) -> None:
    if problem:
        msg = f"a kernel of Grader's own fails here as well: {problem}"
        raise InfrastructureError(msg)
