"""CUDA's status codes, and what each of them means for a student."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from grader.errors import InfrastructureError
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.run import Fault
from grader.model.verdict import Verdict

SUCCESS = 0
NOT_READY = 600
_NO_MEMORY = 2


@dataclass(frozen=True, slots=True)
class _Meaning:
    """``lethal``: the context is lost, so the process that holds it can launch nothing any more."""

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


# Driver and runtime share these numbers (CUDA 11 and later); those not listed are the machine's fault.
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
    """A student's kernel, or its launch, failed. ``lethal``: nothing else can run in this process."""

    def __init__(self, fault: Fault, kind: DiagnosticKind, *, lethal: bool) -> None:
        self.fault = fault
        self.lethal = lethal
        self.diagnostic = Diagnostic(kind=kind, severity=Severity.ERROR, message=fault.reason)
        super().__init__(fault.reason)


class NoRoomError(InfrastructureError):
    """The device has no memory left for what the engine wants of it."""


def out_of_bounds(what: str) -> LaunchFailedError:
    """A kernel did ``what`` to memory that is none of its buffers."""
    fault = Fault(verdict=Verdict.CRASHED, reason=f"out of bounds: {what}")
    return LaunchFailedError(fault, DiagnosticKind.OUT_OF_BOUNDS, lethal=False)


def check(status: int, name: str = "") -> None:
    """Nothing where ``status`` is success.

    Raises: ``LaunchFailedError`` where it is a student's mistake, ``NoRoomError``, ``InfrastructureError`` otherwise.
    """
    if status == SUCCESS:
        return
    meaning = _MEANINGS.get(status)
    if meaning is None:
        msg = f"CUDA error {status}{f' ({name})' if name else ''}"
        raise NoRoomError(msg) if status == _NO_MEMORY else InfrastructureError(msg)
    raise LaunchFailedError(
        Fault(verdict=meaning.verdict, reason=meaning.reason), meaning.kind, lethal=meaning.lethal
    )


@contextmanager
def checked(cupy: Any) -> Iterator[None]:
    """Give CuPy's errors raised inside their meaning, as ``check`` does; no room on the device is nobody's mistake."""
    try:
        yield
    except cupy.cuda.memory.OutOfMemoryError as error:
        msg = f"no room on the GPU: {error}"
        raise NoRoomError(msg) from error
    except (cupy.cuda.driver.CUDADriverError, cupy.cuda.runtime.CUDARuntimeError) as error:
        check(int(error.status), str(error))
