"""Try a language for real: build a small kernel and run it, in the workers that grade submissions."""

import time
from dataclasses import dataclass

import numpy as np

from grader.compile.toolchain import sample_request
from grader.errors import GraderError, UserError
from grader.grading.environment import GradingEnvironment
from grader.languages import LanguageSupport
from grader.messages import render
from grader.model.kernel import DType
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import LaunchJob
from grader.model.submission import Language

_THREADS = 64
_OUTPUT = "out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Seconds that the build and the run of a small kernel took; ``problem`` says what failed, if anything."""

    language: Language
    seconds: float
    problem: str = ""
    hint: str = ""


def try_language(environment: GradingEnvironment, language: LanguageSupport) -> Trial:
    """Build the sample kernel of ``language``, run it on the engine of ``environment`` and check its output."""
    started = time.monotonic()
    problem = hint = ""
    try:
        problem = _problem(environment, language)
    except UserError as error:
        problem, hint = error.problem, error.hint or ""
    except GraderError as error:
        problem = str(error)
    return Trial(language=language.key, seconds=time.monotonic() - started, problem=problem, hint=hint)


def _problem(environment: GradingEnvironment, language: LanguageSupport) -> str:
    """What is wrong with the sample, if anything. Raises: ``GraderError``."""
    request = sample_request(language, environment.device.arch)
    outcome = environment.build(request)
    if outcome.module is None:
        return render(outcome.fault.reason) if outcome.fault else "the build made no code"
    (kernel,) = request.kernels
    buffer = Buffer(name=_OUTPUT, dtype=DType.INT32, shape=(_THREADS,), role=Role.OUTPUT)
    shape = LaunchShape(grid=Dim3(), block=Dim3(x=_THREADS))
    plan = LaunchPlan(buffers=(buffer,), launches=(Launch(kernel=kernel.name, shape=shape, args=(_OUTPUT,)),))
    with environment.session() as session:
        result = session.run(LaunchJob(module=outcome.module, plan=plan, inputs={}))
    if result.fault is not None:
        return render(result.fault.reason)
    written = np.frombuffer(result.outputs[_OUTPUT], np.int32)
    return "" if np.array_equal(written, np.arange(_THREADS)) else "the kernel wrote wrong values"
