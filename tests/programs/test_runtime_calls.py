"""Calls about devices, functions, pools, streams and limits answer as CUDA documents."""

import pytest

from tests.programs.running import DATA, ran

ANSWERS = {
    "device": (1, "H200 9.0 132 132 49152 16384 16384 512 32 101 0"),
    "pool": (4, "1 400 0 33554432 400 0 64 1"),
    "pointers": (6, "210 111 311 001 2 0 1"),
    "streams": (9, "-5 1 0.5 1"),
    "occupancy": (11, "2 2 1 1"),
    "managed variables": (12, "12 15 2 16"),
    "a host function that a condition waits for": (14, "called"),
    "copies of Thrust": (15, "3"),
    "registered memory": (16, "2 1 2 712 713 0"),
}

FAULTS = {
    2: ("cudaErrorInvalidValue cudaErrorInvalidValue 102400 cudaSuccess", "invalid-launch", "not allowed"),
    3: ("7 7 cudaErrorCooperativeLaunchTooLarge", "invalid-launch", "too large"),
    5: ("", "kernel-gets-freed", "freed"),
    10: ("cudaSuccess", "host-function-calls-runtime", "forbidden"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_those_that_cuda_documents(name: str) -> None:
    number, printed = ANSWERS[name]
    done = ran("runtime_calls.cu", str(number))
    assert done.printed == printed
    assert done.run.diagnostics == ()


@pytest.mark.parametrize("number", FAULTS)
def test_what_the_runtime_refuses_has_its_line(number: int) -> None:
    printed, code, mark = FAULTS[number]
    done = ran("runtime_calls.cu", str(number))
    assert done.printed == printed
    assert [(each.message.code, each.line) for each in done.run.diagnostics] == [(code, _marked(mark))]


def test_an_early_read_of_a_managed_variable_has_its_line() -> None:
    found = ran("runtime_calls.cu", "13").run.diagnostics
    assert [(each.message.code, each.line) for each in found] == [("host-reads-early", _marked("early"))]


def test_a_full_buffer_of_printf_loses_the_oldest_lines() -> None:
    done = ran("runtime_calls.cu", "7")
    assert done.printed.split() == ["80", *(f"{number:07}" for number in range(90, 100))]
    assert [each.message.code for each in done.run.diagnostics] == ["printed-too-much"]
    assert done.run.diagnostics[0].line == _marked("lost")


def test_kernels_print_more_than_a_graded_run_may() -> None:
    done = ran("runtime_calls.cu", "8")
    assert done.printed.split() == [f"{number:07}" for number in range(20_000)]


def _marked(mark: str) -> int:
    """The line with a comment."""
    lines = (DATA / "runtime_calls.cu").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"//-> {mark}"))
