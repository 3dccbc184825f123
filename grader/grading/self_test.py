"""Try a language for real: build a small kernel and run it, in the workers that grade submissions."""

import time
from dataclasses import dataclass

from grader.errors import GraderError, UserError
from grader.grading.control import sample_problem
from grader.grading.environment import GradingEnvironment
from grader.languages import LanguageSupport
from grader.model.submission import Language


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
        problem = sample_problem(environment, language)
    except UserError as error:
        problem, hint = error.problem, error.hint or ""
    except GraderError as error:
        problem = str(error)
    return Trial(language=language.key, seconds=time.monotonic() - started, problem=problem, hint=hint)
