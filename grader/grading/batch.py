"""Grade many submissions in parallel, and store each report as soon as it is finished."""

import contextvars
import secrets
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from grader.errors import GraderError, InfrastructureError, LabError
from grader.grading.environment import GradingEnvironment
from grader.grading.languages import LanguageUnavailableError, UnavailableLanguages
from grader.grading.rungs import RungModules
from grader.grading.submission import collect_facts, not_graded
from grader.judge.score import score
from grader.labs.lab import Lab
from grader.logs import Event, bound_submission, log
from grader.model.facts import Facts
from grader.model.reason import Reason, reason
from grader.model.report import Report
from grader.model.run import Fault
from grader.model.submission import Submission
from grader.model.text import printable
from grader.model.verdict import Verdict

PAUSES = (1.0, 3.0, 8.0)
"""Seconds before each retry after an infrastructure fault; a restarted Docker engine is back within them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """A finished report with the seed that reproduces its inputs, and the seconds that grading took.

    ``report`` is the score of ``facts``; without facts it says why there are none.
    """

    submission: Submission
    report: Report
    facts: Facts | None
    seed: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """State of a batch: how many of ``total`` are done, which are running, and the latest result."""

    done: int
    total: int
    running: tuple[Submission, ...]
    finished: Graded | None


class Batch:
    """Grades submissions in parallel threads; worker processes do the work."""

    def __init__(
        self,
        labs: Mapping[str, Lab],
        environment: GradingEnvironment,
        jobs: int,
        cancelled: threading.Event,
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``cancelled`` is set to stop early: it must be the event that the environment's sandbox checks.

        ``warn`` receives one message, from any thread, for each language that does not work on this machine.
        """
        self._labs = labs
        self._jobs = jobs
        self._cancelled = cancelled
        self._rungs = RungModules(environment)
        self._unavailable = UnavailableLanguages(warn)

    def run(
        self,
        submissions: Sequence[Submission],
        keep: Callable[[Graded], None],
        progress: Callable[[Progress], None],
        claim: Callable[[Submission], bool] = lambda _: True,
    ) -> list[Graded]:
        """Grade all of ``submissions``, in the order they finish.

        ``claim`` is asked before each of them starts; one that it refuses is skipped.
        This thread calls ``keep`` as soon as a submission is finished. On ``KeyboardInterrupt`` the running ones are
        abandoned and the exception propagates; finished ones are already stored.
        Raises: ``UserError`` if this machine cannot grade.
        """
        running: dict[Future[Graded], Submission] = {}
        waiting = list(reversed(submissions))
        numbers = count(1)
        finished: list[Graded] = []
        skipped = 0

        def report_progress(latest: Graded | None) -> None:
            total = len(submissions) - skipped
            names = tuple(running.values())
            progress(Progress(done=len(finished), total=total, running=names, finished=latest))

        with ThreadPoolExecutor(self._jobs, thread_name_prefix="grading") as executor:
            try:
                while waiting or running:
                    while waiting and len(running) < self._jobs:
                        submission = waiting.pop()
                        if not claim(submission):
                            skipped += 1
                            continue
                        # A thread has no context of its own: without a copy its lines would lack this run's ids.
                        context = contextvars.copy_context()
                        job = executor.submit(context.run, self._grade, submission, next(numbers))
                        running[job] = submission
                    report_progress(None)
                    if not running:
                        break
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        del running[future]
                        graded = future.result()
                        keep(graded)
                        finished.append(graded)
                        report_progress(graded)
            except BaseException:
                self._cancelled.set()
                raise
        return finished

    def _grade(self, submission: Submission, job: int) -> Graded:
        with bound_submission(submission.student, submission.lab, submission.digest, job=job):
            graded = self._graded(submission)
            report = graded.report
            log(
                Event.SUBMISSION_GRADED,
                verdict=report.verdict,
                score=report.score,
                seconds=round(graded.seconds, 3),
            )
        return graded

    def _graded(self, submission: Submission) -> Graded:
        lab = self._labs[submission.lab]
        seed = secrets.randbits(128)
        started = time.monotonic()
        facts: Facts | None = None
        try:
            self._unavailable.require(submission.language)
            facts = self._attempt(lab, submission, seed)
            counts = self._rungs.environment.modelled_counts
            report = score(facts, lab.manifest, submission.identity, modelled_counts=counts)
        except LanguageUnavailableError as error:
            self._unavailable.add(error)
            report = _not_gradable(lab, submission, reason("grading-failed", problem=str(error)))
        except InfrastructureError as error:
            log(Event.SUBMISSION_NOT_GRADABLE, error=str(error))
            report = _not_gradable(lab, submission, reason("grading-failed", problem=str(error)))
        except GraderError:
            raise
        except Exception as error:  # noqa: BLE001 - a mistake in Grader or a lab costs one submission its grade, not a class
            log(Event.SUBMISSION_NOT_GRADABLE, error=_described(error))
            report = _not_gradable(lab, submission, reason("internal-error", problem=_described(error)))
        return Graded(
            submission=submission,
            report=report,
            facts=facts,
            seed=seed,
            seconds=time.monotonic() - started,
        )

    def _attempt(self, lab: Lab, submission: Submission, seed: int) -> Facts:
        for attempt, pause in enumerate(PAUSES, start=1):
            try:
                return collect_facts(lab, submission, self._rungs, seed)
            except LabError:
                raise
            except InfrastructureError as error:
                log(Event.GRADING_RETRIED, attempt=attempt, pause_seconds=pause, error=str(error))
                if self._cancelled.wait(pause):
                    raise
        return collect_facts(lab, submission, self._rungs, seed)


def _not_gradable(lab: Lab, submission: Submission, why: Reason) -> Report:
    fault = Fault(verdict=Verdict.NOT_GRADABLE, reason=why)
    return not_graded(submission, fault, lab.manifest.rubric.max_score)


def _described(error: Exception) -> str:
    """``error`` with the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    location = f" ({Path(frames[-1].filename).name} line {frames[-1].lineno})" if frames else ""
    return printable(f"{type(error).__name__}: {error}{location}")
