"""What compute-sanitizer wrote of a faulty program on an H200, as findings at the lines of host code and kernels."""

from pathlib import Path

import pytest

from grader.errors import UserError
from grader.model.diagnostic import DiagnosticKind
from grader.model.location import SourceLocation
from grader.profiling.program_sanitizer import read_findings
from tools.paths import CHECKOUT

RECORDED = CHECKOUT / "tests" / "profiling" / "recorded" / "program-memcheck.xml"
FOUND = {(found.kind, found.line): found for found in read_findings(RECORDED, {"faults.cu"})}


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (DiagnosticKind.RUNTIME_ERROR, 11),  # a copy beyond the allocation
        (DiagnosticKind.RUNTIME_ERROR, 12),  # cudaFree of host memory
        (DiagnosticKind.RUNTIME_ERROR, 13),  # a fill beyond the allocation
        (DiagnosticKind.RUNTIME_ERROR, 14),  # a launch of 2000 threads
        (DiagnosticKind.OUT_OF_BOUNDS, 3),
        (DiagnosticKind.LEAK, 9),
    ],
)
def test_each_fault_is_at_its_line(kind: DiagnosticKind, line: int) -> None:
    assert FOUND[kind, line].file == "faults.cu"


def test_a_fault_in_a_kernel_names_its_launch_and_is_counted() -> None:
    found = FOUND[DiagnosticKind.OUT_OF_BOUNDS, 3]
    assert (found.kernel, found.count) == ("over", 2)
    assert found.related == (SourceLocation(file="faults.cu", line=15),)


def test_lines_of_other_files_are_not_named() -> None:
    assert all(found.line is None for found in read_findings(RECORDED, {"other.cu"}))


def test_a_missing_report_is_refused_with_the_tools_last_words(tmp_path: Path) -> None:
    (tmp_path / "findings.log").write_text("========= Error: Device not supported\n", encoding="utf-8")
    with pytest.raises(UserError, match="Device not supported"):
        read_findings(tmp_path / "findings.xml", {"faults.cu"})
