"""Numba programs run unchanged, and every fault is found at its Python line."""

import re

import pytest

from grader.model.reason import reason
from tests.programs.running import Ran
from tests.programs.running_numba import FOLDER, ran_python

_EXPECTED = re.compile(r"#-> ([\w, -]+)$")

_TOGETHER = {
    "reads_pinned_early": (),
    "writes_pinned_early": (),
    "reads_mapped_early": (),
    "reads_managed_early": (),
    "writes_mapped_early": (),
    "copies_pageable_in_stream": (),
    "launches_in_another_stream": (),
    "copies_back_in_another_stream": (),
    "waits_for_no_event": (),
    "records_no_event": (),
    "launches_too_many_threads": (),
    "allocates_too_much": (),
    "uses_nothing_written": ("change",),
    "adds_without_atomics": ("total",),
    "misses_a_barrier": ("reverse",),
    "waits_in_part_of_a_block": ("half_waits",),
    "asks_for_a_handle": (),
    "ends_too_early": (),
}
"""Functions after which the device still works, with the kernels that have their faults."""


def _expected(names: set[str]) -> set[tuple[str, int]]:
    """The codes and lines that the comments of functions name."""
    found, function = set(), ""
    for number, line in enumerate((FOLDER / "faults.py").read_text().splitlines(), 1):
        if line.startswith("def "):
            function = line.removeprefix("def ").partition("(")[0]
        if function in names and (match := _EXPECTED.search(line)):
            found |= {(code.strip(), number) for code in match[1].split(",")}
    return found


def _found(done: Ran) -> set[tuple[str, int | None]]:
    assert all(each.file == "faults.py" for each in done.run.diagnostics)
    return {(each.message.code, each.line) for each in done.run.diagnostics}


@pytest.fixture(scope="module")
def together() -> Ran:
    """One run of all faults after which the device still works."""
    return ran_python("faults.py", *_TOGETHER, seconds=300)


@pytest.mark.parametrize("name", _TOGETHER)
def test_a_fault_is_found_at_its_python_line(name: str, together: Ran) -> None:
    wanted = _expected({name, *_TOGETHER[name]})
    assert wanted
    assert wanted <= _found(together)


def test_nothing_else_is_found(together: Ran) -> None:
    kernels = {kernel for names in _TOGETHER.values() for kernel in names}
    assert _found(together) == _expected({*_TOGETHER, *kernels})


def test_errors_of_the_driver_are_exceptions(together: Ran) -> None:
    names = re.findall(r"^\w+Error$", together.printed, re.MULTILINE)
    assert names == ["CudaAPIError", "CudaAPIError", "CUDAError", "CudaAPIError", "CudaAPIError"]
    assert together.run.exit_code == 0


def test_an_access_out_of_bounds_names_the_argument_and_the_launch() -> None:
    done = ran_python("faults.py", "goes_beyond_an_argument", seconds=300)
    assert _found(done) == _expected({"beyond"})
    (found,) = done.run.diagnostics
    lines = (FOLDER / "faults.py").read_text().splitlines()
    assert reason("buffer", name="a") in found.message.params.values()
    assert any("beyond[4, 256](a)" in lines[other.line - 1] for other in found.related if other.line)
    assert "CUDA_ERROR_ILLEGAL_ADDRESS" in done.printed
    assert done.run.exit_code == 1


def test_a_kernel_that_never_ends_is_stopped() -> None:
    done = ran_python("faults.py", "never_ends", seconds=300)
    assert _found(done) == _expected({"forever"})


def test_correct_programs_run_without_findings() -> None:
    done = ran_python("correct.py", seconds=300)
    assert done.run.exit_code == 0, done.printed[-2000:]
    assert done.run.diagnostics == ()
    printed = done.printed.splitlines()
    start, end = printed.index("before"), printed.index("after")
    assert [line for line in printed[start:end] if line.startswith("thread")] == [
        "thread 0 of 2",
        "thread 1 of 2",
    ]
