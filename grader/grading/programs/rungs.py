"""The modelled times of a program lab's rungs, each built and run once for all submissions."""

from grader.errors import InfrastructureError
from grader.grading.cases import REFERENCE_SEED, prepare
from grader.grading.environment import GradingEnvironment
from grader.grading.programs.case_run import run_case
from grader.grading.programs.facts import build_program
from grader.grading.programs.repeats import is_enough
from grader.grading.programs.sandbox import ProgramSandbox
from grader.grading.rungs import RungModules, rung_files, rung_sources, submission_of
from grader.labs.lab import Lab
from grader.labs.manifest import Case
from grader.messages import render
from grader.model.submission import Language
from grader.programs.compile_error import CompileError

_PATIENCE = 6.0
"""Time limit of a rung in run limits: the slowest rung of a lab may be slow to emulate, and its time is modelled."""


def rung_seconds(rungs: RungModules, lab: Lab, language: Language, rung: str, case: Case) -> float:
    """The modelled seconds of a rung on ``case``; in another language if it is not written in ``language``.

    Raises: ``InfrastructureError`` if it fails: the lab is at fault.
    """
    key = (lab.name, rung, case.name, language)
    return rungs.program_seconds.get(key, lambda: _run(rungs.environment, lab, language, rung, case))


def _run(environment: GradingEnvironment, lab: Lab, language: Language, rung: str, case: Case) -> float:
    known = lab.manifest.rung(rung)
    sources = rung_sources(lab, known)
    if not sources:
        msg = f"lab {lab.name} has no source for rung {rung} in {lab.reference}"
        raise InfrastructureError(msg)
    written_in = language if language in sources else next(iter(sources))
    submission = submission_of(lab, rung_files(lab, known, written_in), written_in, rung)
    environment = environment.within(lab.manifest.limits)
    try:
        program = build_program(lab, submission, ProgramSandbox.of(environment))
    except CompileError as error:
        msg = f"rung {rung} of lab {lab.name} does not build: {error}"
        raise InfrastructureError(msg) from error
    seconds = environment.limits.run_seconds * _PATIENCE
    prepared, taken = prepare(lab, case, REFERENCE_SEED), list[float]()
    while not is_enough(taken, program.built.runs):
        done = run_case(program, prepared, seconds)
        if done.result.fault is not None:
            msg = f"rung {rung} of lab {lab.name} fails: {render(done.result.fault.reason)}"
            raise InfrastructureError(msg)
        taken.append(done.run.seconds)
    return min(taken)
