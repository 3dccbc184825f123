"""Calls of the runtime that fail, and whether the program asks for their errors."""

from collections.abc import Callable, Mapping

from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import reason
from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.wire import Call, Reply, Request

_MISTAKES = frozenset(
    {
        Error.INVALID_SYMBOL,
        Error.INVALID_FUNCTION,
        Error.INVALID_DEVICE,
        Error.INVALID_HANDLE,
        Error.ALREADY_REGISTERED,
        Error.NOT_REGISTERED,
    }
)
"""Errors that say that a call names something that is not there. By others, programs may find out what is possible."""


class ErrorCalls:
    """Answers questions for the last error, and keeps the errors for which nobody has asked.

    Whether a program looks at what a call returns cannot be seen.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {Call.FAILED: self._failed, Call.ERROR_READ: self._read}

    def _failed(self, asked: Request) -> Reply:
        is_first = not self._state.sticky and not self._state.is_managed
        if is_first and asked.arguments[0] in _MISTAKES and self._state.findings.is_own(asked.site):
            self._state.unread_errors[asked.site] = asked.extra.decode(errors="replace")
        return Reply()

    def _read(self, asked: Request) -> Reply:
        del asked
        self._state.unread_launch = None
        self._state.unread_errors.clear()
        return Reply(self._state.sticky)


def say_unread(state: State) -> None:
    """Note the errors that were never asked for, at the end of the program, unless a fault may be their cause."""
    if state.findings.has_errors:
        return
    for site, name in state.unread_errors.items():
        said, advice = reason("call-fails", error=name), reason("check-call")
        state.findings.warning(DiagnosticKind.RUNTIME_ERROR, state.findings.line(site), said, advice)
