"""A report leads with one cause and the line to add; an attempt says what changed since the one before."""

from typing import Any

import pytest

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from grader.model.report import KernelReport, Report
from grader.model.submission import Language, SourceFile
from grader.model.verdict import Verdict
from grader.report.lead import headline, lead
from grader.report.progress_of_attempts import progress

SOURCE = "".join(f"    step_{number}();\n" for number in range(1, 13))
FILE = SourceFile(name="a.cu", data=SOURCE.encode())


def line(number: int) -> Reason:
    return reason("location-line", line=number)


def finding(advice: Reason | None = None, **more: Any) -> Diagnostic:
    return Diagnostic(
        **{
            "kind": DiagnosticKind.SHARED_RACE,
            "severity": Severity.ERROR,
            "message": reason("as-written", text="a race"),
            "advice": advice,
            "file": "a.cu",
            "line": 9,
            "related": (SourceLocation(file="a.cu", line=6),),
            **more,
        }
    )


def report(*found: Diagnostic, score: float = 0.0, verdict: Verdict = Verdict.WRONG) -> Report:
    kernel = KernelReport(
        name="k",
        verdict=verdict,
        reason=reason("as-written", text="wrong"),
        cases=(),
        speedup=None,
        seconds=None,
        resources=None,
        diagnostics=found,
    )
    return Report(
        student="s",
        lab="l",
        file="a.cu",
        language=Language.CUDA_C,
        verdict=verdict,
        reason=kernel.reason,
        score=score,
        max_score=100.0,
        parts=(),
        kernels=(kernel,),
    )


@pytest.mark.parametrize(
    ("advice", "before"),
    [
        (reason("add-barrier", barrier="__syncthreads()", line=line(6), other_line=line(9)), 9),
        (reason("add-barrier-in-loop", barrier="__syncthreads()", line=line(9)), 10),
        (reason("add-warp-barrier", barrier="__syncwarp()", line=line(6), other_line=line(9)), 9),
    ],
)
def test_the_line_to_add_stands_where_the_advice_says(advice: Reason, before: int) -> None:
    found = lead(report(finding(advice)), [FILE])
    assert found is not None
    shown = [each.added.strip() or (each.line.number if each.line else 0) for each in found.lines]
    added = shown.index(f"{advice.params['barrier']};")
    assert shown[added + 1] == before
    assert [each.line.number for each in found.lines if each.line and each.line.tags] == [6, 9]


def test_advice_for_another_place_adds_no_line() -> None:
    inner = reason("add-barrier", barrier="__syncthreads()", line=line(6), other_line=line(9))
    advice = reason("barrier-outside-branch", advice=inner, line=line(9))
    found = lead(report(finding(advice)), [FILE])
    assert found is not None
    assert not any(each.added for each in found.lines)


def test_a_cause_without_a_line_shows_no_source() -> None:
    found = lead(report(finding(file=None, line=None, related=())), [FILE])
    assert found is not None
    assert found.lines == ()


def test_right_work_has_no_cause_and_says_what_is_missing() -> None:
    right = report(score=80.0, verdict=Verdict.ACCEPTED)
    assert lead(right, [FILE]) is None
    assert headline(right).params == {"points": 20.0}
    assert headline(report(score=100.0, verdict=Verdict.ACCEPTED)).code == "lead-complete"
    assert headline(report(finding(), finding(line=2))).params["count"] == 2


def test_what_is_gone_and_what_came_is_named() -> None:
    bounds = finding(kind=DiagnosticKind.OUT_OF_BOUNDS, line=3, related=())
    said = progress(report(finding(), score=10.0), report(bounds, score=30.0))
    assert [each.code for each in said.nested()] == ["progress-new-at", "progress-gone", "progress-up"]
    assert said.nested()[0].params == {"kind": "out of bounds", "line": 3}


def test_a_mistake_at_a_line_that_moved_is_the_same() -> None:
    moved = finding(line=11, related=(SourceLocation(file="a.cu", line=8),))
    said = progress(report(finding()), report(moved))
    assert [each.code for each in said.nested()] == ["progress-stays"]


def test_equal_results_say_that_nothing_changed() -> None:
    assert progress(report(), report()).code == "progress-none"
