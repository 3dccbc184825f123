"""The text of CUDA's status codes for students and operators."""

import pytest

from grader.engines.cuda.status import LaunchFailedError, check, checked
from grader.errors import InfrastructureError
from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import reason
from grader.model.verdict import Verdict
from tests.engines.cuda.fake_cupy import HostRuntime, fake_cupy


def test_success_is_nothing_to_speak_of() -> None:
    check(0)


@pytest.mark.parametrize(
    ("status", "verdict", "kind", "code", "lethal"),
    [
        (9, Verdict.CRASHED, DiagnosticKind.INVALID_LAUNCH, "gpu-refused-launch", False),
        (701, Verdict.CRASHED, DiagnosticKind.INVALID_LAUNCH, "gpu-out-of-resources", False),
        (700, Verdict.CRASHED, DiagnosticKind.DEVICE_FAULT, "gpu-illegal-address", True),
        (716, Verdict.CRASHED, DiagnosticKind.DEVICE_FAULT, "gpu-misaligned-address", True),
        (702, Verdict.TIMED_OUT, DiagnosticKind.ENDLESS_LOOP, "gpu-display-time-out", True),
    ],
)
def test_a_students_mistake_is_a_fault(
    status: int, verdict: Verdict, kind: DiagnosticKind, code: str, *, lethal: bool
) -> None:
    with pytest.raises(LaunchFailedError) as caught:
        check(status)
    failed = caught.value
    assert (failed.fault.verdict, failed.diagnostic.kind, failed.lethal) == (verdict, kind, lethal)
    assert failed.fault.reason == reason(code)


def test_an_exhausted_cupy_pool_is_an_infrastructure_error() -> None:
    cupy = fake_cupy(HostRuntime())
    with pytest.raises(InfrastructureError, match="the GPU is out of memory"), checked(cupy):
        raise cupy.cuda.memory.OutOfMemoryError


@pytest.mark.parametrize("status", [2, 214, 999])
def test_a_broken_machine_is_no_students_fault(status: int) -> None:
    with pytest.raises(InfrastructureError, match=rf"CUDA error {status} \(what CUDA calls it\)"):
        check(status, "what CUDA calls it")
