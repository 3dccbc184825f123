"""Grade one submission: its facts, stage by stage, and their score."""

from collections.abc import Sequence
from functools import partial

from grader.grading.cases import EVERY_CASE, CaseChoice
from grader.grading.checks import check
from grader.grading.context import GradingContext
from grader.grading.drawn_blocks import observe_drawn_blocks
from grader.grading.environment import GradingEnvironment
from grader.grading.kernel_facts import after_build, stopped
from grader.grading.launch_geometry import settle_geometries
from grader.grading.nearby_sizes import check_nearby_sizes
from grader.grading.observation import observe_rungs
from grader.grading.optional_kernels import without_missing_optional
from grader.grading.programs.facts import collect_program_facts
from grader.grading.programs.rungs import rung_seconds
from grader.grading.rungs import RungModules, build_request
from grader.grading.schedule_independence import check_schedule_independence
from grader.grading.timing import time_kernels, with_timed_bytes
from grader.grading.timing_and_observation import time_and_observe
from grader.judge.score import score
from grader.labs.lab import Lab
from grader.labs.manifest import largest_public
from grader.languages import support
from grader.model.build import BuildOutcome
from grader.model.facts import Agreement, Facts, KernelFacts
from grader.model.reason import reason
from grader.model.report import Report
from grader.model.run import Fault
from grader.model.stage import Entered, Stage, unwatched
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.worker.messages import WorkerRole


def grade(
    lab: Lab, submission: Submission, rungs: RungModules, seed: int, choice: CaseChoice = EVERY_CASE
) -> Report:
    """Collect the facts about ``submission`` and score them. Arguments and errors as those of ``collect_facts``."""
    facts = collect_facts(lab, submission, rungs, seed, choice)
    counts = rungs.environment.modelled_counts
    return score(facts, lab.manifest, submission.identity, modelled_counts=counts)


def collect_facts(  # noqa: PLR0913, PLR0917 - what grading depends on, and who watches
    lab: Lab,
    submission: Submission,
    rungs: RungModules,
    seed: int,
    choice: CaseChoice = EVERY_CASE,
    entered: Entered = unwatched,
) -> Facts:
    """Compile, check, observe and time ``submission`` in the environment of ``rungs``; ``entered`` hears the stages.

    ``seed`` determines the inputs. A student's local check must choose public cases only.
    Raises: ``InfrastructureError``, ``UserError``: there is no result.
    """
    environment = rungs.environment.within(lab.manifest.limits).metered()
    if lab.manifest.program is not None:
        times = partial(rung_seconds, rungs, lab, submission.language)
        return collect_program_facts(lab, submission, environment, times, seed, choice, entered)
    environment.emulating().prepare(WorkerRole.RUN)
    entered(Stage.COMPILING)
    outcome = _built(lab, submission, environment)
    manifest = lab.manifest
    kernels: Sequence[KernelFacts] = [
        after_build(outcome, name, manifest.parts(name)) for name in manifest.graded
    ]
    # The emulator judges technique and counts lines, whichever engine grades.
    observed = largest_public(case for case in lab.manifest.cases if choice.takes(case))
    timing_case, agreement = None, Agreement()
    if outcome.module is not None:
        context = GradingContext(
            lab=lab,
            language=submission.language,
            module=outcome.module,
            cases=choice.of(lab, environment.engine_support.cases),
            observed=observed,
            seed=seed,
        )
        timing_case = context.timing_case
        entered(Stage.CHECKING)
        context.prepare_timing_case()  # before the device is locked
        counts = environment.engine_support.counts
        with environment.session() as session:
            checked = check(context, session, kernels)
            agreement = checked.agreement
            kernels = check_nearby_sizes(context, session, checked.kernels)
            if counts:
                kernels = check_schedule_independence(context, session, kernels)
            entered(Stage.TIMING)
            if counts:
                kernels = time_kernels(context, session, rungs, kernels)
                kernels = observe_drawn_blocks(context, session, kernels)
                kernels = observe_rungs(context, session, rungs, kernels)
            else:
                with environment.emulating().session() as emulator:
                    kernels = time_and_observe(context, session, emulator, rungs, kernels)
                    session.close()  # the GPU has room for the next one
                    kernels = observe_rungs(context, emulator, rungs, kernels)
        kernels = [with_timed_bytes(context, kernel) for kernel in kernels]
        if (over := environment.budget.fault) is not None:
            kernels = [stopped(kernel, over) for kernel in kernels]
    return Facts(
        lab=lab.name,
        language=submission.language,
        engine=environment.engine,
        device=environment.device,
        isolation=environment.isolation,
        seed=seed,
        kernels=tuple(kernels),
        agreement=agreement,
        build_fault=outcome.fault,
        diagnostics=outcome.diagnostics,
        timing_case=timing_case.name if timing_case else None,
        observed_case=observed.name if observed else None,
        seconds=environment.budget.used,
    )


def _built(lab: Lab, submission: Submission, environment: GradingEnvironment) -> BuildOutcome:
    """The build of the submission, with the geometry of its launches. Raises: as ``collect_facts``."""
    if not lab.manifest.takes(submission.language):
        wanted = " or ".join(support(language).label for language in lab.manifest.languages)
        said = reason("language-not-taken", language=support(submission.language).label, wanted=wanted)
        return BuildOutcome(fault=Fault(verdict=Verdict.FAILED_TO_BUILD, reason=said))
    outcome = environment.build(build_request(lab, submission, environment.device.arch))
    return settle_geometries(lab, without_missing_optional(lab, outcome))


def not_graded(submission: Submission, fault: Fault, max_score: float) -> Report:
    """Report of a submission that could not be graded, for any cause."""
    return Report(
        student=submission.student,
        lab=submission.lab,
        file=submission.path,
        language=submission.language,
        verdict=fault.verdict,
        reason=fault.reason,
        score=0.0,
        max_score=max_score,
        parts=(),
        kernels=(),
    )
