"""Texts of findings of one event kind."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.engines.emulator.findings.event import Event
from grader.model.diagnostic import DiagnosticKind, Severity

Text = Callable[[Event], str]


@dataclass(frozen=True, slots=True)
class Wording:
    """``message`` says what happened, ``advice`` says in one sentence what to do; neither ends in a full stop."""

    kind: DiagnosticKind
    severity: Severity
    message: Text
    advice: Text


def always(text: str) -> Text:
    """A text that is the same for every event."""
    return lambda _event: text
