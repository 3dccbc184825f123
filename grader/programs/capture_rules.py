"""What a program must not call while a stream is captured: nothing runs then, so nothing can be waited for."""

from collections.abc import Iterator

from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import reason
from grader.programs.capture import Capture, Mode
from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.schedule import is_legacy
from grader.programs.wire import Call, Reply, Request

_STREAM_WAITS = {Call.STREAM_WAIT: "cudaStreamSynchronize", Call.STREAM_QUERY: "cudaStreamQuery"}
_EVENT_WAITS = {
    Call.EVENT_WAIT: "cudaEventSynchronize",
    Call.EVENT_QUERY: "cudaEventQuery",
    Call.EVENT_ELAPSED: "cudaEventElapsedTime",
}
_DEVICE_WAITS = {Call.DEVICE_WAIT: "cudaDeviceSynchronize"}
_UNSAFE = {
    Call.MALLOC: "cudaMalloc",
    Call.FREE: "cudaFree",
    Call.HOST_ALLOC: "cudaMallocHost",
    Call.HOST_FREE: "cudaFreeHost",
    Call.MANAGED_ALLOC: "cudaMallocManaged",
    Call.EVENT_QUERY: "cudaEventQuery",
}
"""Calls that may wait for the device, or for work of another stream, and that only the relaxed mode permits."""

_Forbidden = tuple[Error, Capture, str]
"""The error, the capture that a call spoils, and the name of the call."""

_STREAM_ARGUMENT = {
    Call.COPY: 7,
    Call.MEMSET: 5,
    Call.LAUNCH: 8,
    Call.EVENT_RECORD: 1,
    Call.HOST_FUNCTION: 0,
    Call.STREAM_WAIT_EVENT: 0,
    Call.STREAM_WAIT: 0,
    Call.STREAM_QUERY: 0,
}
"""Calls about a stream, and the argument that names it."""


class CaptureRules:
    """Refuses calls that a capture forbids; the capture is invalid from then on."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._schedule = state.schedule

    def refusal(self, asked: Request) -> Reply | None:
        """The answer to a call that is not permitted now; ``None`` if it is."""
        captures = list(self._captures())
        if not captures or self._schedule.every_recorder is not None:
            return None
        own = self._own(asked)
        if own is not None and not own.is_valid:
            return Reply(Error.CAPTURE_INVALIDATED)
        found = self._forbidden(asked, captures, own)
        if found is None:
            return None
        error, capture, function = found
        capture.is_valid = False
        self._state.findings.error(
            DiagnosticKind.RUNTIME_ERROR,
            asked.site,
            reason(_SAID.get(error, "capture-forbids"), function=function),
            reason(_ADVICE.get(error, "call-outside-capture")),
            self._state.findings.line(capture.site),
        )
        return Reply(error)

    def _captures(self) -> Iterator[Capture]:
        return (each for each in self._schedule.recorders.values() if isinstance(each, Capture))

    def _own(self, asked: Request) -> Capture | None:
        """The capture of the stream that a call is about."""
        place = _STREAM_ARGUMENT.get(asked.call)
        key = None if place is None else self._schedule.stream(asked.arguments[place])
        found = None if key is None else self._schedule.recorders.get(key)
        return found if isinstance(found, Capture) else None

    def _forbidden(self, asked: Request, captures: list[Capture], own: Capture | None) -> _Forbidden | None:
        """What a call spoils, and why."""
        return (
            self._waits(asked, captures)
            or self._is_unsafe(asked, captures)
            or self._wait_for_event(asked, own)
            or self._uses_default_stream(asked, captures)
        )

    def _waits(self, asked: Request, captures: list[Capture]) -> _Forbidden | None:
        """Whether a call waits for work that is captured, or asks for it."""
        call = asked.call
        if call in _STREAM_WAITS:
            key = self._schedule.stream(asked.arguments[0])
            found = None if key is None else self._schedule.recorders.get(key)
            if isinstance(found, Capture):
                return Error.CAPTURE_UNSUPPORTED, found, _STREAM_WAITS[call]
        if call in _EVENT_WAITS:
            handles = asked.arguments[: 2 if call is Call.EVENT_ELAPSED else 1]
            spoiled = next((found for handle in handles if (found := self._of_event(handle))), None)
            if spoiled is not None:
                return Error.CAPTURED_EVENT, spoiled, _EVENT_WAITS[call]
        if call in _DEVICE_WAITS:
            return Error.CAPTURE_UNSUPPORTED, captures[0], _DEVICE_WAITS[call]
        return None

    def _is_unsafe(self, asked: Request, captures: list[Capture]) -> _Forbidden | None:
        strict = next((each for each in captures if each.mode is not Mode.RELAXED), None)
        if strict is None or asked.call not in _UNSAFE:
            return None
        return Error.CAPTURE_UNSUPPORTED, strict, _UNSAFE[asked.call]

    def _uses_default_stream(self, asked: Request, captures: list[Capture]) -> _Forbidden | None:
        """The default stream waits for all blocking streams, so it must rest while one of them is captured."""
        place = _STREAM_ARGUMENT.get(asked.call)
        strict = next((each for each in captures if each.is_strict and each.mode is not Mode.RELAXED), None)
        key = None if place is None else self._schedule.stream(asked.arguments[place])
        if key is None or strict is None or not is_legacy(key):
            return None
        return Error.CAPTURE_IMPLICIT, strict, _NAMES[asked.call]

    def _of_event(self, handle: int) -> Capture | None:
        """The capture that an event is part of."""
        event = self._schedule.events.get(handle)
        captured = None if event is None or event.mark is None else event.mark.captured
        by = None if captured is None else captured.by
        return by if isinstance(by, Capture) else None

    def _wait_for_event(self, asked: Request, own: Capture | None) -> _Forbidden | None:
        if asked.call is not Call.STREAM_WAIT_EVENT:
            return None
        event = self._schedule.events.get(asked.arguments[1])
        theirs = self._of_event(asked.arguments[1])
        if own is not None and theirs is not None and theirs is not own:
            return Error.CAPTURE_MERGE, own, "cudaStreamWaitEvent"
        if own is not None and theirs is None and event is not None and event.mark is not None:
            return Error.CAPTURE_ISOLATION, own, "cudaStreamWaitEvent"
        return None


_SAID = {
    Error.CAPTURE_IMPLICIT: "capture-forbids-default-stream",
    Error.CAPTURED_EVENT: "capture-has-event",
    Error.CAPTURE_MERGE: "captures-merge",
    Error.CAPTURE_ISOLATION: "capture-waits-outside",
}
_ADVICE = {
    Error.CAPTURE_IMPLICIT: "use-captured-stream",
    Error.CAPTURE_MERGE: "capture-from-one-stream",
    Error.CAPTURE_ISOLATION: "record-in-capture",
}
_NAMES = {
    Call.COPY: "cudaMemcpy",
    Call.MEMSET: "cudaMemset",
    Call.LAUNCH: "a launch",
    Call.EVENT_RECORD: "cudaEventRecord",
    Call.HOST_FUNCTION: "cudaLaunchHostFunc",
    Call.STREAM_WAIT_EVENT: "cudaStreamWaitEvent",
    Call.STREAM_WAIT: "cudaStreamSynchronize",
    Call.STREAM_QUERY: "cudaStreamQuery",
}
