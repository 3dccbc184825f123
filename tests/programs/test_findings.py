"""Every fault of the host code is found at its line, and nothing in correct programs."""

import pytest

from grader.messages import LANGUAGES, Speech
from grader.model.reason import Reason
from tests.programs.running import DATA, cases, expected, ran

NOT_OF_HOST_CODE = {"17", "42", "43", "45"}
"""Cases with the fault in a kernel, and those that run too long."""


@pytest.mark.parametrize("number", [case for case in cases("faults.cu") if case not in NOT_OF_HOST_CODE])
def test_a_fault_is_found_at_its_line(number: str) -> None:
    found = ran("faults.cu", number).run.diagnostics
    codes = {(each.message.code, each.line) for each in found}
    wanted = expected("faults.cu", number)
    assert wanted
    assert wanted <= codes
    assert {code for code, _ in codes - wanted} <= ({"never-released"} if number == "34" else set())
    assert all(each.file == "faults.cu" for each in found)


def test_a_fault_in_a_kernel_names_its_launch() -> None:
    done = ran("faults.cu", "17").run
    (found,) = [each for each in done.diagnostics if each.kind == "out of bounds"]
    lines = (DATA / "faults.cu").read_text().splitlines()
    assert found.line is not None
    assert "x[i] = 1" in lines[found.line - 1]
    assert any("beyond<<<" in lines[other.line - 1] for other in found.related if other.line)


def test_a_kernel_that_never_ends_is_stopped() -> None:
    done = ran("faults.cu", "42", seconds=3).run
    assert any(each.kind == "endless loop" for each in done.diagnostics)


def test_a_launch_beyond_the_limit_names_its_seconds() -> None:
    done = ran("faults.cu", "45", seconds=3).run
    (found,) = [each for each in done.diagnostics if each.kind == "endless loop"]
    assert found.message.code == "out-of-time"
    seconds = found.message.params["seconds"]
    assert isinstance(seconds, float)
    assert 1 < seconds <= 3


@pytest.mark.parametrize("number", cases("correct.cu"))
def test_nothing_is_found_in_a_correct_program(number: str) -> None:
    done = ran("correct.cu", number)
    assert done.run.exit_code == 0
    assert done.run.diagnostics == ()
    first = done.printed.split()[0]
    assert first == ("0" if number == "7" else "1")


def test_a_program_that_never_ends_is_killed() -> None:
    done = ran("faults.cu", "43", seconds=2).run
    assert done.exit_code == -9
    assert done.launches == 0


def test_host_functions_run_in_order() -> None:
    assert ran("correct.cu", "2").printed.split() == ["1", "4", "1"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_findings_are_said_in_every_language(language: str) -> None:
    speech = Speech(language)
    for number in ("3", "18", "26"):
        for found in ran("faults.cu", number).run.diagnostics:
            said = [speech(each) for each in (found.message, found.advice) if isinstance(each, Reason)]
            assert said
            assert not any("{" in text for text in said)
