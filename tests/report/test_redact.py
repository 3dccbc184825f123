"""The parts of a report that a student may read."""

from dataclasses import replace

import pytest
from hypothesis import given

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.report import Part, Report, RungPoint, SpeedupKind, Timing, Visibility, Withheld
from grader.model.review import Decision, Review
from grader.model.run import TimedPair
from grader.model.verdict import Verdict
from grader.report import results_json
from grader.report.redact import Audience, for_audience, redact, redact_document
from tests.report.documents import reports
from tests.report.examples import (
    DOCUMENT,
    GOOD_ROW_SUM,
    UNBUILT,
    WRONG_ROW_SUM,
    case,
    kernel,
    report,
    roofline,
    speedup,
)

PUBLIC_ONLY = report(
    "a", "matmul", kernel("matmul", cases=(case("square-256"),)), reason="square-256 is right"
)


def _diagnostic(kind: DiagnosticKind, message: str) -> Diagnostic:
    return Diagnostic(kind=kind, severity=Severity.ERROR, message=message, file="a.cu", line=7, count=17_391)


def test_a_report_without_hidden_cases_stays_as_it_is() -> None:
    assert redact(PUBLIC_ONLY) == PUBLIC_ONLY
    assert redact(UNBUILT) == UNBUILT


def test_nothing_about_a_hidden_case_but_its_verdict_is_left() -> None:
    shown = redact(WRONG_ROW_SUM)
    text = results_json.dump(replace(DOCUMENT, reports=(shown,))).decode()
    for secret in ("hidden-huge", "hidden-1023x17", "17391", "1024.0", "512.0", "block 7"):
        assert secret not in text
    hidden = [c for c in shown.kernels[0].cases if c.visibility is Visibility.HIDDEN]
    assert [(c.name, c.verdict, c.reason) for c in hidden] == [
        ("hidden case 1", Verdict.CRASHED, "hidden case: crashed"),
        ("hidden case 2", Verdict.ACCEPTED, "hidden case: accepted"),
    ]


def test_a_hidden_case_has_the_same_number_in_every_kernel() -> None:
    one = kernel("one", cases=(case("x", hidden=True), case("y", hidden=True)))
    other = kernel("other", cases=(case("y", hidden=True),))
    assert redact(report("a", "lab", one, other)).kernels[1].cases[0].name == "hidden case 2"


def test_public_cases_and_points_stay() -> None:
    shown = redact(WRONG_ROW_SUM)
    public = [c for c in WRONG_ROW_SUM.kernels[0].cases if c.visibility is Visibility.PUBLIC]
    assert [c for c in shown.kernels[0].cases if c.visibility is Visibility.PUBLIC] == public
    assert [(p.name, p.score) for p in shown.parts] == [(p.name, p.score) for p in WRONG_ROW_SUM.parts]
    assert (shown.verdict, shown.score) == (WRONG_ROW_SUM.verdict, WRONG_ROW_SUM.score)


def test_a_public_case_that_failed_alike_speaks_for_the_kernel() -> None:
    shown = redact(WRONG_ROW_SUM)
    assert shown.kernels[0].reason == "case task-1000: row_sum.cu:10 reads past the end of a"
    assert shown.kernels[1].reason == "hidden case: wrong"


def test_the_submission_s_reason_is_that_of_its_gravest_kernel() -> None:
    failed = case("hidden-7", Verdict.WRONG, "element 3 is off", hidden=True)
    graded = report(
        "a", "lab", kernel("k", Verdict.WRONG, "element 3 is off", cases=(failed,)), reason="7x7 is off"
    )
    assert redact(graded).reason == "k: hidden case: wrong"


@pytest.mark.parametrize(
    ("original", "shown"),
    [
        ("5 of 8 cases are right", "5 of 8 cases are right"),
        ("3.92×; 4.00× needed for 10 more points", "3.92×; 4.00× needed for 10 more points"),
        ("big-33 and big-3 are wrong", "decided by hidden case 2 and hidden case 1"),
        ("element 3 is off", "decided by a hidden case"),
        ("big-333 is a name of its own", "big-333 is a name of its own"),
    ],
)
def test_a_part_s_reason_stays_unless_it_reveals_a_case(original: str, shown: str) -> None:
    cases = (case("big-3", Verdict.WRONG, "element 3 is off", hidden=True), case("big-33", hidden=True))
    part = Part(name="correctness", score=5.0, max_score=10.0, reason=original)
    graded = report("a", "lab", kernel("k", Verdict.WRONG, cases=cases), parts=(part,))
    assert redact(graded).parts[0].reason == shown


def test_a_public_case_skipped_for_a_hidden_one_hides_its_name() -> None:
    late = case("big-33", Verdict.TIMED_OUT, "still running after 10 s", hidden=True)
    skipped = case("task-1000", Verdict.TIMED_OUT, "not run: it timed out in case big-33")
    shown = redact(
        report("a", "lab", kernel("k", Verdict.TIMED_OUT, "case big-33: late", cases=(late, skipped)))
    )
    assert shown.kernels[0].cases[1].reason == "decided by hidden case 1"
    assert shown.kernels[0].reason == "case task-1000: decided by hidden case 1"


def test_a_finding_keeps_its_location_but_not_its_numbers() -> None:
    found = _diagnostic(DiagnosticKind.OUT_OF_BOUNDS, "thread 105 reads element 17391 of a")
    same_line = _diagnostic(DiagnosticKind.OUT_OF_BOUNDS, "thread 9 reads element 1023 of a")
    graded = report("a", "lab", kernel("k", cases=(case("h", hidden=True),), diagnostics=(found, same_line)))
    (shown,) = redact(graded).kernels[0].diagnostics
    assert (shown.kind, shown.file, shown.line, shown.count) == (found.kind, "a.cu", 7, 1)
    assert "17391" not in shown.message
    assert shown.message


def test_a_finding_keeps_lines_but_neither_advice_nor_threads() -> None:
    shown = redact(WRONG_ROW_SUM).kernels[1].diagnostics[0]
    original = WRONG_ROW_SUM.kernels[1].diagnostics[0]
    assert original.related
    assert (shown.related, shown.kernel) == (original.related, original.kernel)
    assert (shown.advice, shown.threads) == ("", 0)


def test_what_lines_did_and_printed_in_public_cases_stays() -> None:
    original, shown = WRONG_ROW_SUM.kernels[1], redact(WRONG_ROW_SUM).kernels[1]
    assert original.lines
    assert original.printed
    assert (shown.lines, shown.sites, shown.printed) == (original.lines, original.sites, original.printed)


def test_a_compiler_s_message_does_not_depend_on_cases_and_stays() -> None:
    found = _diagnostic(DiagnosticKind.COMPILER, 'expected a ";"')
    graded = report(
        "a", "lab", kernel("k", cases=(case("h", hidden=True),), diagnostics=(found,)), diagnostics=(found,)
    )
    assert redact(graded).kernels[0].diagnostics == (found,)
    assert redact(graded).diagnostics == (found,)


def test_each_finding_kind_is_of_the_source_or_explained() -> None:
    of_the_source = {
        DiagnosticKind.COMPILER,
        DiagnosticKind.LAUNCH_DIRECTIVE,
        DiagnosticKind.HOST_CODE_IGNORED,
        DiagnosticKind.CLOCK_READING,
    }
    hidden = (case("h", hidden=True),)
    for kind in DiagnosticKind:
        graded = report("a", "lab", kernel("k", cases=hidden, diagnostics=(_diagnostic(kind, "17391"),)))
        kept = redact(graded).kernels[0].diagnostics[0].message == "17391"
        assert kept == (kind in of_the_source), kind


def test_a_suspicious_speed_is_withheld() -> None:
    timing = Timing(
        rung="global", kind=SpeedupKind.MEASURED, pairs=(TimedPair(baseline=4e-4, submission=1e-6),)
    )
    odd = replace(
        kernel("k", Verdict.SUSPICIOUS, fast=speedup(400.0), seconds=1e-6),
        timings=(timing,),
    )
    shown = redact(report("a", "lab", odd)).kernels[0]
    assert (shown.speedup, shown.seconds, shown.timings) == (None, None, ())


def test_staff_see_everything() -> None:
    assert for_audience(WRONG_ROW_SUM, Audience.STAFF) is WRONG_ROW_SUM
    assert for_audience(WRONG_ROW_SUM, Audience.STUDENT) == redact(WRONG_ROW_SUM)


def test_a_document_is_redacted_report_by_report() -> None:
    assert redact_document(DOCUMENT).reports == tuple(redact(r) for r in DOCUMENT.reports)
    assert redact(GOOD_ROW_SUM).kernels[1].speedup == GOOD_ROW_SUM.kernels[1].speedup


@given(reports)
def test_redacting_twice_changes_nothing_more(graded: Report) -> None:
    once = redact(graded)
    assert redact(once) == once


def test_only_rates_of_a_hidden_case_are_withheld() -> None:
    for visibility in Visibility:
        point = RungPoint(rung="global", intensity=1.0, operations_per_second=1e9)
        reached = roofline(4.0, 1e12, rungs=(point,), visibility=visibility)
        (shown,) = redact(report("a", "matmul", kernel("matmul", reached=reached))).kernels
        assert shown.roofline is not None
        known = visibility is Visibility.PUBLIC
        assert (shown.roofline == reached) is known
        assert (shown.roofline.operations_per_second is not None) is known
        assert (shown.roofline.bytes_per_second is not None) is known
        assert bool(shown.roofline.rungs) is known
        assert shown.roofline.intensity == 4.0


def test_a_suspicious_kernel_keeps_its_rate_to_itself() -> None:
    reached = roofline(4.0, 1e12)
    (shown,) = redact(report("a", "matmul", kernel("matmul", Verdict.SUSPICIOUS, reached=reached))).kernels
    assert shown.roofline is not None
    assert shown.roofline.operations_per_second is None


def test_a_student_sees_a_review_but_neither_name_nor_reason() -> None:
    review = Review(
        decision=Decision.CLEARED,
        reviewer="Ada",
        reason="n = 16384 fits",
        decided_at="2024-03-01T12:00:00+00:00",
    )
    shown = redact(replace(report("a", "lab", kernel("k")), review=review)).review
    assert shown is not None
    assert (shown.decision, shown.reviewer, shown.reason) == (Decision.CLEARED, "", "")


def test_points_that_wait_for_review_are_withheld() -> None:
    part = Part(
        name="speed", score=0, max_score=10, reason="waits", withheld=Withheld(score=10, reason="400.00×")
    )
    assert (
        redact(report("a", "lab", kernel("k", Verdict.SUSPICIOUS), parts=(part,))).parts[0].withheld is None
    )
