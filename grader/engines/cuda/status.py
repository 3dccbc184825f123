"""CUDA's status codes and the fault that each of them means for a student."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from grader.errors import InfrastructureError
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import Reason, reason
from grader.model.run import Fault
from grader.model.verdict import Verdict

SUCCESS = 0
NOT_READY = 600
_NO_MEMORY = 2


@dataclass(frozen=True, slots=True)
class _Meaning:
    """``code`` is its statement. ``lethal``: the CUDA context is lost, and its process cannot launch anything more."""

    verdict: Verdict
    kind: DiagnosticKind
    code: str
    lethal: bool


_INVALID_LAUNCH = _Meaning(
    Verdict.CRASHED,
    DiagnosticKind.INVALID_LAUNCH,
    "gpu-refused-launch",
    lethal=False,
)


def _crash(code: str) -> _Meaning:
    return _Meaning(Verdict.CRASHED, DiagnosticKind.DEVICE_FAULT, code, lethal=True)


# Driver and runtime share these numbers (CUDA 11 and later). Any other status is an infrastructure error.
_MEANINGS = {
    1: _INVALID_LAUNCH,
    9: _INVALID_LAUNCH,
    700: _crash("gpu-illegal-address"),
    701: _Meaning(
        Verdict.CRASHED,
        DiagnosticKind.INVALID_LAUNCH,
        "gpu-out-of-resources",
        lethal=False,
    ),
    702: _Meaning(
        Verdict.TIMED_OUT,
        DiagnosticKind.ENDLESS_LOOP,
        "gpu-display-time-out",
        lethal=True,
    ),
    710: _crash("gpu-assertion"),
    714: _crash("gpu-stack-error"),
    715: _crash("gpu-illegal-instruction"),
    716: _crash("gpu-misaligned-address"),
    717: _crash("gpu-invalid-address-space"),
    718: _crash("gpu-invalid-jump"),
    719: _crash("gpu-launch-failure"),
}


class LaunchFailedError(Exception):
    """A student's kernel, or its launch, failed. ``lethal``: the process cannot launch anything any more."""

    def __init__(self, fault: Fault, kind: DiagnosticKind, *, lethal: bool) -> None:
        self.fault = fault
        self.lethal = lethal
        self.diagnostic = Diagnostic(kind=kind, severity=Severity.ERROR, message=fault.reason)
        super().__init__(fault.reason.code)


class NoRoomError(InfrastructureError):
    """The device has too little free memory for the engine."""


def out_of_bounds(damage: Reason) -> LaunchFailedError:
    """The error for a kernel that wrote outside its buffers; ``damage`` says where."""
    fault = Fault(verdict=Verdict.CRASHED, reason=damage)
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
    fault = Fault(verdict=meaning.verdict, reason=reason(meaning.code))
    raise LaunchFailedError(fault, meaning.kind, lethal=meaning.lethal)


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
