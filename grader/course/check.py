"""Check one's own submissions on the public cases; nothing is kept."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.course.case_data import dump_cases
from grader.course.environment import open_environment
from grader.course.notifier import Notifier
from grader.course.refusal import refusal
from grader.course.workspace import Workspace
from grader.errors import InfrastructureError, UserError
from grader.grading.cases import PUBLIC_CASES, CaseChoice
from grader.grading.rung_cache import rung_cache
from grader.grading.rungs import RungModules
from grader.grading.submission import grade, not_graded
from grader.intake import Intake
from grader.labs.lab import Lab
from grader.labs.manifest import Case
from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import Item, Param, as_written, reason
from grader.model.report import EngineInfo, Report
from grader.model.run import EngineKind, Fault
from grader.model.submission import Submission
from grader.model.verdict import Verdict

_SEED_BITS = 32
"""Short enough to type again; a check has no hidden cases to protect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """What to check, and how.

    ``cases`` names the public cases to run, all of them if it is empty. ``seed`` determines the inputs. ``dump`` is the
    folder that gets the inputs and the expected outputs.
    """

    intake: Intake
    engine: str | None = None
    cases: tuple[str, ...] = ()
    seed: int = field(default_factory=lambda: secrets.randbits(_SEED_BITS))
    dump: Path | None = None

    @property
    def choice(self) -> CaseChoice:
        """The cases to run."""
        return CaseChoice(public_only=True, names=frozenset(self.cases))


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The report on one submission, and what ran it."""

    submission: Submission
    report: Report
    engine: EngineInfo

    @property
    def has_main(self) -> bool:
        """Whether the submission is a whole program, of which only the kernels were graded."""
        ignored = (
            found.message
            for found in self.report.diagnostics
            if found.kind is DiagnosticKind.HOST_CODE_IGNORED
        )
        return any("main" in _names(said.params.get("functions", "main")) for said in ignored)


def check(workspace: Workspace, request: CheckRequest, notifier: Notifier) -> Iterator[Checked]:
    """Yield each submission's report as it is finished, then those of what cannot be read.

    Where the machine failed, the verdict is ``not gradable``.

    Raises: ``UserError`` if this machine cannot grade, if a lab has no such case, or if the dump cannot be written.
    """
    with open_environment(
        workspace, request.engine, None, notifier, trusted=True, probe=False
    ) as environment:
        labs = {
            submission.lab: workspace.registry.get(submission.lab)
            for submission in request.intake.submissions
        }
        cases = {name: _public_cases(lab, environment.engine, request.cases) for name, lab in labs.items()}
        if request.dump is not None:
            for name, lab in labs.items():
                dump_cases(request.dump / name, lab, cases[name], request.seed)
        rungs = RungModules(environment, rung_cache())
        for submission in request.intake.submissions:
            with notifier.status(reason("checking", file=submission.path)):
                report = _report(labs[submission.lab], submission, rungs, request)
            yield Checked(submission=submission, report=report, engine=environment.engine_info)
        for rejected in request.intake.rejected:
            submission, report = refusal(workspace, rejected)
            yield Checked(submission=submission, report=report, engine=environment.engine_info)


def _names(functions: Param) -> tuple[Item, ...]:
    """The functions that a note names, or the one word of a language that names none."""
    return functions if isinstance(functions, tuple) else (str(functions),)


def _report(lab: Lab, submission: Submission, rungs: RungModules, request: CheckRequest) -> Report:
    try:
        return grade(lab, submission, rungs, request.seed, request.choice)
    except InfrastructureError as error:
        fault = Fault(verdict=Verdict.NOT_GRADABLE, reason=as_written(str(error)))
        return not_graded(submission, fault, lab.manifest.rubric.max_score)


def _public_cases(lab: Lab, engine: EngineKind, names: tuple[str, ...]) -> tuple[Case, ...]:
    """The public cases called ``names``, or all. Raises: ``UserError`` for a name that is none of them."""
    public = {case.name: case for case in PUBLIC_CASES.of(lab, engine)}
    unknown = [name for name in names if name not in public]
    if unknown:
        msg = f"{lab.name} has no public case {unknown[0]!r} on the {engine} engine."
        raise UserError(msg, hint=f"Name one of {', '.join(public)}.")
    return tuple(public[name] for name in names or public)
