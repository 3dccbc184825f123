"""How far an attempt is, for those who wait for it: the same for the page, its live part, and programs.

``live_states`` answers for many attempts with a few queries. A state says nothing about a score, so that it needs no
publication; it is about one attempt, and the caller has made sure that the reader may see that attempt.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from grader.course.records import Records
from grader.digests import value_digest
from grader.model.reason import Reason, reason
from grader.model.stage import Stage
from grader.store.attempts import RecordedAttempt
from grader.store.job_values import JobProgress, JobState
from grader.store.values import SubmissionKey


class Phase(StrEnum):
    """Where an attempt is. ``running`` is a stage that is not known; ``received``: staff start its grading."""

    RECEIVED = "received"
    WAITING = "waiting"
    RUNNING = "running"
    COMPILING = "compiling"
    CHECKING = "checking"
    TIMING = "timing"
    DONE = "done"
    FAILED = "failed"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"
    REFUSED = "refused"

    @property
    def is_final(self) -> bool:
        """Whether nothing more happens without a person."""
        return self in _FINAL


_FINAL = frozenset({Phase.DONE, Phase.FAILED, Phase.SUPERSEDED, Phase.WITHDRAWN, Phase.REFUSED})
_ENDED = {
    JobState.DONE: Phase.DONE,
    JobState.FAILED: Phase.FAILED,
    JobState.SUPERSEDED: Phase.SUPERSEDED,
    JobState.CANCELLED: Phase.WITHDRAWN,
}
_STAGES = {
    None: Phase.RUNNING,
    Stage.COMPILING: Phase.COMPILING,
    Stage.CHECKING: Phase.CHECKING,
    Stage.TIMING: Phase.TIMING,
}
_SAID = {
    Phase.RUNNING: reason("live-running"),
    Phase.COMPILING: reason("live-compiling"),
    Phase.CHECKING: reason("live-checking"),
    Phase.TIMING: reason("live-timing"),
    Phase.DONE: reason("live-done"),
    Phase.FAILED: reason("live-failed"),
    Phase.SUPERSEDED: reason("live-superseded"),
    Phase.WITHDRAWN: reason("live-withdrawn"),
}
"""What is said of the phases of jobs that do not wait."""

_MINUTE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveState:
    """``said`` is the state in words, ``notes`` what else a person wants to know about it.

    ``ahead`` is how many jobs run before it, ``seconds`` an estimate of the time until it is done; ``None`` where it
    does not wait or nothing is known.
    """

    attempt: int
    phase: Phase
    said: Reason
    notes: tuple[Reason, ...] = ()
    ahead: int | None = None
    seconds: float | None = None

    @property
    def is_final(self) -> bool:
        """Whether nothing comes after it."""
        return self.phase.is_final

    @property
    def version(self) -> str:
        """Equal for equal states: the entity tag of HTTP."""
        parts = [
            (each.code, sorted((key, str(value)) for key, value in each.params.items()))
            for each in (self.said, *self.notes)
        ]
        return value_digest((self.attempt, self.phase, parts))


def live_states(records: Records, attempts: Collection[int]) -> Mapping[int, LiveState]:
    """The state of each of ``attempts`` by id; one that does not exist is not there."""
    progress = records.store.jobs.progress(attempts)
    found = {attempt: _of_job(attempt, each) for attempt, each in progress.items()}
    for attempt in set(attempts) - found.keys():
        recorded = records.store.attempts.find(attempt)
        if recorded is not None:
            found[attempt] = _without_job(records, recorded)
    return found


def live_state(records: Records, attempt: int) -> LiveState | None:
    """The state of one attempt; ``None`` if it does not exist."""
    return live_states(records, [attempt]).get(attempt)


def _of_job(attempt: int, progress: JobProgress) -> LiveState:
    state = progress.job.state
    if state in _ENDED:
        phase = _ENDED[state]
        return LiveState(attempt=attempt, phase=phase, said=_SAID[phase])
    failed_before = (reason("live-machine-failed"),) if progress.job.why else ()
    if state is JobState.RUNNING:
        phase = _STAGES[progress.stage]
        return LiveState(attempt=attempt, phase=phase, said=_SAID[phase], notes=failed_before)
    place = progress.place
    ahead = 0 if place is None else place.ahead
    seconds = None if place is None else place.seconds
    notes = list(failed_before)
    if place is not None and not place.workers:
        notes.append(reason("live-no-worker"))
    elif seconds is not None:
        notes.append(reason("live-expected", minutes=math.ceil(seconds / _MINUTE)))
    return LiveState(
        attempt=attempt,
        phase=Phase.WAITING,
        said=reason("live-waiting", ahead=ahead) if ahead else reason("live-next"),
        notes=tuple(notes),
        ahead=ahead,
        seconds=seconds,
    )


def _without_job(records: Records, recorded: RecordedAttempt) -> LiveState:
    """The state of an attempt that came another way than through the queue."""
    attempt = recorded.attempt
    if attempt.refusal is not None:
        said = reason("live-refused", why=attempt.refusal.reason)
        return LiveState(attempt=recorded.id, phase=Phase.REFUSED, said=said)
    key = SubmissionKey(student=attempt.student, lab=attempt.lab, digest=attempt.submission or "")
    scored = any(each.key == key for each in records.store.scores.history(attempt.lab, attempt.student))
    if scored:
        return LiveState(attempt=recorded.id, phase=Phase.DONE, said=reason("live-done"))
    return LiveState(attempt=recorded.id, phase=Phase.RECEIVED, said=reason("live-not-queued"))
