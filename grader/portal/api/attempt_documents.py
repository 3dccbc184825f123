"""Attempts and labs of the services as documents of the API, in the reader's language."""

from dataclasses import replace
from datetime import UTC, datetime

from grader.api.attempts import Attempt, Lab, Source, SourceText, State
from grader.course.attempt_lines import AttemptLine
from grader.course.attempt_view import AttemptView
from grader.course.live_state import LiveState
from grader.course.my_labs import MyLab
from grader.messages import Speech


def state_of(live: LiveState, speech: Speech) -> State:
    """``live`` without its result."""
    return State(
        attempt=live.attempt,
        phase=live.phase.value,
        text=" · ".join(map(speech, (live.said, *live.notes))),
        final=live.phase.is_final,
        ahead=live.ahead,
        seconds=live.seconds,
    )


def line_state(line: AttemptLine, speech: Speech) -> State:
    """The state of ``line``, with its result once it is done."""
    state = state_of(line.state, speech)
    if not state.final or line.verdict is None:
        return state
    return replace(state, verdict=line.verdict, score=line.points, max_score=line.max_points)


def attempt_of(student: str, lab: str, line: AttemptLine, speech: Speech) -> Attempt:
    """The attempt of ``student`` for ``lab`` in ``line``."""
    return Attempt(
        id=line.id,
        student=student,
        lab=lab,
        number=line.number,
        submitted_at=_iso(line.submitted_at),
        state=line_state(line, speech),
    )


def lab_of(found: MyLab, speech: Speech) -> Lab:
    """A lab as its student sees it."""
    rule, until = found.standing.held.rule, found.standing.until
    return Lab(
        name=found.lab,
        title=found.manifest.title,
        opens_at=None if rule.opens is None else _iso(rule.opens),
        due_at=None if rule.due is None else _iso(rule.due),
        closes_at=None if until is None else _iso(until),
        accepts=found.accepts,
        rule=speech(found.standing.rule),
        attempts=len(found.attempts),
        points=found.grade.points if found.grade.visible else None,
        max_points=found.grade.max_points,
        missing=None if found.missing is None else speech(found.missing),
    )


def source_of(view: AttemptView) -> Source:
    """The files of an attempt; bytes that are no UTF-8 become the replacement character."""
    return Source(
        files=tuple(
            SourceText(name=file.name, text=file.data.decode("utf-8-sig", "replace")) for file in view.files
        )
    )


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")
