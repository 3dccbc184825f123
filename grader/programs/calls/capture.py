"""Calls that capture the work of streams into a graph. Each is a ``CAPTURE`` request with an ``Operation``."""

from collections.abc import Callable, Mapping
from enum import IntEnum

from grader.model.reason import reason
from grader.programs.capture import Capture, Mode
from grader.programs.error_codes import Error
from grader.programs.graph_tables import GraphTables
from grader.programs.schedule import is_legacy
from grader.programs.wire import Call, Reply, Request

_NONE, _ACTIVE, _INVALIDATED = range(3)


class Operation(IntEnum):
    """What a program asks for; the order is that of ``CaptureOperation`` in ``runtime/graphs.cpp``."""

    BEGIN = 0
    END = 1
    STATUS = 2


class CaptureCalls:
    """Answers calls that begin and end a capture."""

    def __init__(self, tables: GraphTables) -> None:
        self._tables = tables
        self._state = tables.state
        self._schedule = tables.state.schedule
        self._operations: Mapping[int, Callable[[Request, tuple[int, ...]], Reply]] = {
            Operation.BEGIN: self._begin,
            Operation.END: self._end,
            Operation.STATUS: self._status,
        }

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {Call.CAPTURE: self._answer}

    def _answer(self, asked: Request) -> Reply:
        return self._operations[asked.arguments[0]](asked, asked.arguments[1:])

    def _begin(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        handle, mode, into = arguments[:3]
        key = self._schedule.stream(handle)
        if key is None:
            return Reply(Error.INVALID_HANDLE)
        if is_legacy(key):
            problem, advice = reason("capture-of-default-stream"), reason("capture-a-stream")
            return self._tables.refused(Error.CAPTURE_UNSUPPORTED, asked, problem, advice)
        if key in self._schedule.recorders:
            return self._tables.refused(Error.ILLEGAL_STATE, asked, reason("captured-already"))
        graph = self._tables.graphs.get(into) or self._tables.new_graph(asked)
        self._schedule.recorders[key] = Capture(
            graph=graph,
            handles=self._tables.handles,
            origin=key,
            mode=Mode(min(mode, Mode.RELAXED)),
            is_strict=self._schedule.streams[key].is_blocking,
            site=asked.site,
            tails={key: self._tables.known(asked.extra)},
        )
        return Reply()

    def _end(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        key = self._schedule.stream(arguments[0])
        capture = None if key is None else self._schedule.recorders.get(key)
        if not isinstance(capture, Capture):
            return self._tables.refused(Error.ILLEGAL_STATE, asked, reason("capture-not-begun"))
        if capture.origin != key:
            problem, advice = reason("capture-ended-elsewhere"), reason("end-in-first-stream")
            return self._tables.refused(Error.CAPTURE_UNMATCHED, asked, problem, advice)
        for joined in capture.tails:
            self._schedule.recorders.pop(joined, None)
        if not capture.is_valid:
            return Reply(Error.CAPTURE_INVALIDATED)
        unjoined = capture.unjoined
        if unjoined is not None:
            line = self._state.findings.line(unjoined.work.site if unjoined.work else ())
            problem = reason("capture-unjoined", line=line.line or 0)
            return self._tables.refused(Error.CAPTURE_UNJOINED, asked, problem, reason("join-capture"))
        self._tables.nodes |= {node.handle: node for node in capture.graph.nodes}
        return Reply(values=(capture.graph.handle,))

    def _status(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        del asked
        key = self._schedule.stream(arguments[0])
        if key is None:
            return Reply(Error.INVALID_HANDLE)
        capture = self._schedule.recorders.get(key)
        if not isinstance(capture, Capture):
            return Reply(values=(_NONE,))
        status = _ACTIVE if capture.is_valid else _INVALIDATED
        return Reply(values=(status, capture.origin, capture.graph.handle))
