"""Calls of a program that may fail, and one that is made to fail, to see whether the program notices.

From then on it fails at that line each time: Numba tries again what fails for lack of memory.
"""

from grader.model.location import SourceLocation
from grader.model.program import CheckableCall
from grader.programs.error_codes import Error
from grader.programs.findings import Findings
from grader.programs.wire import Call, Reply, Request

_FAILURES: dict[Call, tuple[str, Error]] = {
    Call.MALLOC: ("cudaMalloc", Error.NO_MEMORY),
    Call.HOST_ALLOC: ("cudaMallocHost", Error.NO_MEMORY),
    Call.MANAGED_ALLOC: ("cudaMallocManaged", Error.NO_MEMORY),
    Call.COPY: ("cudaMemcpy", Error.INVALID_VALUE),
    Call.MEMSET: ("cudaMemset", Error.INVALID_VALUE),
    Call.LAUNCH: ("cudaGetLastError", Error.INVALID_CONFIGURATION),
    Call.STREAM_CREATE: ("cudaStreamCreate", Error.NO_MEMORY),
    Call.STREAM_WAIT: ("cudaStreamSynchronize", Error.LAUNCH_FAILURE),
    Call.EVENT_WAIT: ("cudaEventSynchronize", Error.LAUNCH_FAILURE),
    Call.DEVICE_WAIT: ("cudaDeviceSynchronize", Error.LAUNCH_FAILURE),
}
"""What reports the failure of each call, and an error that it may report. Few programs check what releases memory."""


class Checkable:
    """Numbers the checkable calls of a run, and lets one of them fail."""

    def __init__(self, findings: Findings, fails: int | None) -> None:
        self._findings = findings
        self._fails = fails
        self._count = 0
        self._failing: tuple[str, SourceLocation] | None = None
        self._first: dict[tuple[str, SourceLocation], CheckableCall] = {}

    @property
    def calls(self) -> tuple[CheckableCall, ...]:
        """The first call of each kind at each line."""
        return tuple(self._first.values())

    def failure(self, asked: Request) -> Reply | None:
        """The reply to ``asked`` if it is to fail."""
        if asked.call not in _FAILURES:
            return None
        name, error = _FAILURES[asked.call]
        number, self._count = self._count, self._count + 1
        line = self._findings.line(asked.site)
        if line.line is not None:
            self._first.setdefault((name, line), CheckableCall(number=number, name=name, location=line))
        if number == self._fails:
            self._failing = (name, line)
        return Reply(error) if self._failing == (name, line) else None
