"""AddressSanitizer looks after the memory of host code, and its reports have lines."""

from dataclasses import replace

import pytest

from grader.programs.build import BuiltProgram, build
from grader.programs.toolchain import find_toolchain
from tests.programs.running import Ran, cases, expected, ran_as, sources

FAULTS = "host_faults.cu"
CORRECT = "9"


@pytest.fixture(scope="module")
def program() -> BuiltProgram:
    return build(replace(sources(FAULTS), is_sanitized=True), find_toolchain())


def _ran(program: BuiltProgram, number: str) -> Ran:
    return ran_as(program, sources(FAULTS), number, is_sanitized=True)


@pytest.mark.parametrize("number", [case for case in cases(FAULTS) if case != CORRECT])
def test_a_fault_in_the_memory_of_host_code_is_found_at_its_line(program: BuiltProgram, number: str) -> None:
    found = {(each.message.code, each.line) for each in _ran(program, number).run.diagnostics}
    assert found == expected(FAULTS, number)


def test_a_released_array_names_the_line_of_its_release(program: BuiltProgram) -> None:
    (found,) = _ran(program, "2").run.diagnostics
    assert [other.line for other in found.related] == [(found.line or 0) - 1]


def test_nothing_is_found_in_a_correct_program(program: BuiltProgram) -> None:
    done = _ran(program, CORRECT)
    assert done.run.diagnostics == ()
    assert done.printed.split() == ["2"]
