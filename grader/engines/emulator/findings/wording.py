"""Statements of findings of one event kind."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.engines.emulator.findings.event import Event
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.reason import Reason, reason

Statement = Callable[[Event], Reason]


@dataclass(frozen=True, slots=True)
class Wording:
    """``message`` says what happened, ``advice`` what to do."""

    kind: DiagnosticKind
    severity: Severity
    message: Statement
    advice: Statement


def always(code: str) -> Statement:
    """A statement without parameters, the same for every event."""
    return lambda _event: reason(code)


def by_threads(code: str) -> Statement:
    """A statement about the ``threads`` involved."""
    return lambda event: reason(code, threads=event.all_threads)


def by_threads_on_target(code: str) -> Statement:
    """A statement about the ``threads`` involved and their ``subject``, the buffer or array."""
    return lambda event: reason(code, subject=event.target(), threads=event.all_threads)
