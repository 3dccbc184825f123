"""CUDA's status codes and the fault that each of them means for a student."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from grader.errors import InfrastructureError
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import as_written
from grader.model.run import Fault
from grader.model.verdict import Verdict

SUCCESS = 0
NOT_READY = 600
_NO_MEMORY = 2


@dataclass(frozen=True, slots=True)
class _Meaning:
    """``lethal``: the CUDA context is lost, and its process cannot launch anything any more."""

    verdict: Verdict
    kind: DiagnosticKind
    reason: str
    lethal: bool


_INVALID_LAUNCH = _Meaning(
    Verdict.CRASHED,
    DiagnosticKind.INVALID_LAUNCH,
    "invalid launch: the device refused this grid, block or amount of shared memory",
    lethal=False,
)


def _crash(reason: str) -> _Meaning:
    return _Meaning(Verdict.CRASHED, DiagnosticKind.DEVICE_FAULT, reason, lethal=True)


# Driver and runtime share these numbers (CUDA 11 and later). Any other status is an infrastructure error.
_MEANINGS = {
    1: _INVALID_LAUNCH,
    9: _INVALID_LAUNCH,
    700: _crash("illegal memory access: the kernel read or wrote an address outside every buffer"),
    701: _Meaning(
        Verdict.CRASHED,
        DiagnosticKind.INVALID_LAUNCH,
        "invalid launch: too many resources requested; use smaller blocks, fewer registers or less shared memory",
        lethal=False,
    ),
    702: _Meaning(
        Verdict.TIMED_OUT,
        DiagnosticKind.ENDLESS_LOOP,
        "the kernel ran until the display driver stopped it; look for a loop that never ends",
        lethal=True,
    ),
    710: _crash("a device-side assert failed"),
    714: _crash("hardware stack error: a stack overflow (deep recursion) or a corrupted stack"),
    715: _crash("illegal instruction: the kernel trapped"),
    716: _crash("misaligned address: an access must lie on a multiple of its own size"),
    717: _crash("an instruction for one memory space was given an address in another"),
    718: _crash("the kernel jumped to an address that holds no code"),
    719: _crash("the kernel was aborted by the device (a trap, or an access it could not carry out)"),
}


class LaunchFailedError(Exception):
    """A student's kernel, or its launch, failed. ``lethal``: the process cannot launch anything any more."""

    def __init__(self, fault: Fault, kind: DiagnosticKind, *, lethal: bool) -> None:
        self.fault = fault
        self.lethal = lethal
        self.diagnostic = Diagnostic(kind=kind, severity=Severity.ERROR, message=fault.reason)
        super().__init__(fault.reason)


class NoRoomError(InfrastructureError):
    """The device has too little free memory for the engine."""


def out_of_bounds(what: str) -> LaunchFailedError:
    """The error for a kernel that accessed memory outside its buffers; ``what`` completes the sentence."""
    fault = Fault(verdict=Verdict.CRASHED, reason=as_written(f"out of bounds: {what}"))
    return LaunchFailedError(fault, DiagnosticKind.OUT_OF_BOUNDS, lethal=False)


def check(status: int, name: str = "") -> None:
    """Raise the error that ``status`` means; ``name`` describes an unlisted status.

    Raises: ``LaunchFailedError`` for a student's mistake, ``NoRoomError``, ``InfrastructureError`` otherwise.
    """
    if status == SUCCESS:
        return
    meaning = _MEANINGS.get(status)
    if meaning is None:
        msg = f"CUDA error {status}{f' ({name})' if name else ''}"
        raise NoRoomError(msg) if status == _NO_MEMORY else InfrastructureError(msg)
    raise LaunchFailedError(
        Fault(verdict=meaning.verdict, reason=as_written(meaning.reason)), meaning.kind, lethal=meaning.lethal
    )


@contextmanager
def checked(cupy: Any) -> Iterator[None]:
    """Raise CuPy's errors as ``check`` does; ``NoRoomError`` where the device is out of memory."""
    try:
        yield
    except cupy.cuda.memory.OutOfMemoryError as error:
        msg = f"the GPU is out of memory: {error}"
        raise NoRoomError(msg) from error
    except (cupy.cuda.driver.CUDADriverError, cupy.cuda.runtime.CUDARuntimeError) as error:
        check(int(error.status), str(error))
