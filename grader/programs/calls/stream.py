"""Calls about streams, events and waits."""

import struct
from collections.abc import Callable, Mapping

from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import reason
from grader.programs.bus import CALL_SECONDS
from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.wire import Call, Reply, Request
from grader.programs.work import Work

_DOUBLE = struct.Struct("<d")
_WORD = struct.Struct("<Q")
_CREATE_SECONDS = 10e-6


class StreamCalls:
    """Answers calls that order work, or wait for it."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._host_functions: list[Work] = []

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {
            Call.STREAM_CREATE: self._stream_create,
            Call.STREAM_DESTROY: self._stream_destroy,
            Call.STREAM_WAIT: self._stream_wait,
            Call.STREAM_QUERY: self._stream_query,
            Call.EVENT_CREATE: self._event_create,
            Call.EVENT_DESTROY: self._event_destroy,
            Call.EVENT_RECORD: self._event_record,
            Call.EVENT_WAIT: self._event_wait,
            Call.EVENT_QUERY: self._event_query,
            Call.EVENT_ELAPSED: self._event_elapsed,
            Call.STREAM_WAIT_EVENT: self._stream_wait_event,
            Call.DEVICE_WAIT: self._device_wait,
            Call.HOST_FUNCTION: self._host_function,
            Call.PROGRESS: self._progress,
        }

    def _stream_create(self, asked: Request) -> Reply:
        self._state.schedule.times.spend(_CREATE_SECONDS)
        return Reply(values=(self._state.schedule.create_stream(asked.arguments[0], asked.site),))

    def _stream_destroy(self, asked: Request) -> Reply:
        key = self._state.schedule.stream(asked.arguments[0])
        if not key:
            return Reply(Error.INVALID_HANDLE)
        self._state.schedule.destroy_stream(key)
        return Reply()

    def _stream_wait(self, asked: Request) -> Reply:
        key = self._state.schedule.stream(asked.arguments[0])
        if key is None:
            return Reply(Error.INVALID_HANDLE)
        self._state.schedule.wait(self._state.schedule.streams[key].last)
        return Reply(self._state.sticky)

    def _stream_query(self, asked: Request) -> Reply:
        key = self._state.schedule.stream(asked.arguments[0])
        if key is None:
            return Reply(Error.INVALID_HANDLE)
        return self._polled(self._state.schedule.streams[key].last)

    def _event_create(self, asked: Request) -> Reply:
        return Reply(values=(self._state.schedule.create_event(asked.site),))

    def _event_destroy(self, asked: Request) -> Reply:
        known = self._state.schedule.events.pop(asked.arguments[0], None)
        return Reply(Error.SUCCESS if known else Error.INVALID_HANDLE)

    def _event_record(self, asked: Request) -> Reply:
        event, key = (
            self._state.schedule.events.get(asked.arguments[0]),
            self._state.schedule.stream(asked.arguments[1]),
        )
        if event is None or key is None:
            return Reply(Error.INVALID_HANDLE)
        owner = self._state.schedule.streams[key].device
        if event.device != owner:
            problem = reason("event-of-other-device", device=event.device, owner=owner)
            self._state.findings.error(
                DiagnosticKind.RUNTIME_ERROR, asked.site, problem, reason("create-event-there", owner=owner)
            )
            return Reply(Error.INVALID_HANDLE)
        self._state.schedule.times.spend(CALL_SECONDS)
        event.mark = self._state.add(None, reason("work-event"), key, asked.site, lambda: 0.0)
        return Reply()

    def _event_wait(self, asked: Request) -> Reply:
        event = self._state.schedule.events.get(asked.arguments[0])
        if event is None:
            return Reply(Error.INVALID_HANDLE)
        self._state.schedule.wait(event.mark)
        return Reply(self._state.sticky)

    def _event_query(self, asked: Request) -> Reply:
        event = self._state.schedule.events.get(asked.arguments[0])
        return Reply(Error.INVALID_HANDLE) if event is None else self._polled(event.mark)

    def _event_elapsed(self, asked: Request) -> Reply:
        start, end = (self._state.schedule.events.get(handle) for handle in asked.arguments[:2])
        if start is None or end is None or start.mark is None or end.mark is None:
            problem = reason("event-not-recorded")
            return self._state.failed(Error.INVALID_HANDLE, asked, problem)
        if start.device != end.device:
            problem = reason("events-of-two-devices", device=start.device, owner=end.device)
            return self._state.failed(Error.INVALID_HANDLE, asked, problem)
        if not (start.mark.is_done and end.mark.is_done):
            problem, advice = reason("event-not-reached"), reason("wait-for-event")
            self._state.findings.error(DiagnosticKind.MISSING_WAIT, asked.site, problem, advice)
            return Reply(Error.NOT_READY)
        self._state.schedule.times.settle()
        milliseconds = 1e3 * (end.mark.end - start.mark.end)
        return Reply(values=_WORD.unpack(_DOUBLE.pack(milliseconds)))

    def _stream_wait_event(self, asked: Request) -> Reply:
        key, event = (
            self._state.schedule.stream(asked.arguments[0]),
            self._state.schedule.events.get(asked.arguments[1]),
        )
        if key is None or event is None:
            return Reply(Error.INVALID_HANDLE)
        if event.mark is not None:
            self._state.schedule.make_wait(key, event.mark)
        return Reply()

    def _device_wait(self, asked: Request) -> Reply:
        self._state.schedule.wait_for_all(asked.device)
        return Reply(self._state.sticky)

    def _host_function(self, asked: Request) -> Reply:
        key = self._state.schedule.stream(asked.arguments[0])
        if key is None:
            return Reply(Error.INVALID_HANDLE)
        number = asked.arguments[1]

        def perform() -> float:
            forbidden = self._state.channel.call_host(number, self._state.kernels.printer.take())
            if forbidden:
                problem = reason("host-function-calls-runtime")
                advice = reason("call-runtime-elsewhere")
                self._state.findings.error(DiagnosticKind.RUNTIME_ERROR, forbidden, problem, advice)
            return 0.0

        work = self._state.add(None, reason("work-host-function"), key, asked.site, perform)
        self._host_functions.append(work)
        return Reply()

    def _progress(self, asked: Request) -> Reply:
        """Run the next host function, for which the program may wait without a call. Returns: whether more are left."""
        del asked
        waiting = [work for work in self._host_functions if not work.is_done and work.captured is None]
        if waiting:
            self._state.schedule.wait(waiting[0])
        self._host_functions = waiting[1:]
        return Reply(values=(bool(self._host_functions),))

    def _polled(self, work: Work | None) -> Reply:
        if not self._state.schedule.poll(work):
            return Reply(Error.NOT_READY)
        return Reply(self._state.sticky)
