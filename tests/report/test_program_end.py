"""What a report says of the end of a program."""

import pytest

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.program import ProgramRun
from grader.model.reason import reason
from grader.report.program_end import end_of, is_clean

ERROR = Diagnostic(
    kind=DiagnosticKind.HOST_MEMORY,
    severity=Severity.ERROR,
    message=reason("host-bad-address", address="0x8"),
)


@pytest.mark.parametrize("code", [-6, 134, 139])
def test_a_crash_without_a_finding_names_its_signal(code: int) -> None:
    run = ProgramRun(exit_code=code)
    said = end_of(run, "Tesla T4")
    assert said.code == "program-killed-unexplained"
    assert said.params["signal"] == (-code if code < 0 else code - 128)
    assert not is_clean(run)


def test_a_crash_with_a_finding_needs_no_other_explanation() -> None:
    assert end_of(ProgramRun(exit_code=-11, diagnostics=(ERROR,)), "Tesla T4").code == "program-killed"
    assert end_of(ProgramRun(exit_code=139, diagnostics=(ERROR,)), "Tesla T4").code == "program-ended"


def test_a_program_that_ran_out_of_time_says_so() -> None:
    run = ProgramRun(exit_code=137, is_late=True, counted_seconds=2.5)
    said = end_of(run, "Tesla T4")
    assert said.code == "program-ran-out-of-time"
    assert said.params["seconds"] == 2.5
    assert not is_clean(run)


@pytest.mark.parametrize("code", [0, 7, 130])
def test_an_exit_code_of_the_program_is_its_own(code: int) -> None:
    run = ProgramRun(exit_code=code)
    assert end_of(run, "Tesla T4").code == "program-ended"
    assert is_clean(run)
