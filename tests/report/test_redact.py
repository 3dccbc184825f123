"""The parts of a report that a student may read."""

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given

from grader.model import results_v1
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import Reason, as_written, reason
from grader.model.report import (
    Part,
    Report,
    RungPoint,
    SecondsUsed,
    SpeedupKind,
    Timing,
    Visibility,
    Withheld,
)
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
    in_case,
    kernel,
    report,
    roofline,
    speedup,
)
from tools.messages import english

PUBLIC_ONLY = report(
    "a", "matmul", kernel("matmul", cases=(case("square-256"),)), reason="square-256 is right"
)


def _diagnostic(kind: DiagnosticKind, message: str) -> Diagnostic:
    return Diagnostic(
        kind=kind, severity=Severity.ERROR, message=as_written(message), file="a.cu", line=7, count=17_391
    )


def test_a_report_without_hidden_cases_stays_as_it_is() -> None:
    assert redact(PUBLIC_ONLY) == PUBLIC_ONLY
    assert redact(UNBUILT) == UNBUILT


def test_nothing_about_a_hidden_case_but_whether_it_passed_is_left() -> None:
    shown = redact(WRONG_ROW_SUM)
    text = results_json.dump(replace(DOCUMENT, reports=(shown,))).decode()
    for secret in ("hidden-huge", "hidden-1023x17", "17391", "1024.0", "512.0", "block 7"):
        assert secret not in text
    hidden = [c for c in shown.kernels[0].cases if c.visibility is Visibility.HIDDEN]
    assert [(c.name, c.verdict, english(c.reason)) for c in hidden] == [
        ("hidden-1", Verdict.WRONG, "hidden case 1: wrong"),
        ("hidden-2", Verdict.ACCEPTED, "hidden case 2: accepted"),
    ]


CAUSE = as_written("out of bounds")
IN_TALL = reason("in-case", case="tall", reason=as_written("no end"))


@pytest.mark.parametrize(
    "said", [IN_TALL, reason("cause-and-symptom", cause=replace(CAUSE, case="tall"), symptom=IN_TALL)]
)
def test_a_cause_leaves_no_trace_beside_its_symptom(said: Reason) -> None:
    failed = kernel("k", Verdict.CRASHED, said, cases=(case("tall", Verdict.CRASHED, hidden=True),))
    (shown,) = redact(report("a", "lab", failed)).kernels
    assert (shown.verdict, shown.reason) == (Verdict.WRONG, reason("hidden-case", number=1))


def test_a_failure_in_the_hidden_timed_case_is_wrong_as_well() -> None:
    cases = (case("seen"), case("tall", hidden=True))
    (shown,) = redact(report("a", "lab", kernel("k", Verdict.TIMED_OUT, IN_TALL, cases=cases))).kernels
    assert shown.verdict is Verdict.WRONG


def test_what_a_public_case_shows_keeps_its_verdict() -> None:
    cases = (
        case("seen", Verdict.CRASHED, "reads past the end"),
        case("tall", Verdict.TIMED_OUT, hidden=True),
    )
    failed = kernel("k", Verdict.CRASHED, in_case("seen", "reads past the end"), cases=cases)
    shown = redact(report("a", "lab", failed))
    assert (shown.verdict, shown.kernels[0].verdict) == (Verdict.CRASHED, Verdict.CRASHED)


def test_a_hidden_case_has_the_same_number_in_every_kernel() -> None:
    one = kernel("one", cases=(case("x", hidden=True), case("y", hidden=True)))
    other = kernel("other", cases=(case("y", hidden=True),))
    assert redact(report("a", "lab", one, other)).kernels[1].cases[0].name == "hidden-2"


def test_public_cases_and_points_stay() -> None:
    shown = redact(WRONG_ROW_SUM)
    public = [c for c in WRONG_ROW_SUM.kernels[0].cases if c.visibility is Visibility.PUBLIC]
    assert [c for c in shown.kernels[0].cases if c.visibility is Visibility.PUBLIC] == public
    assert [(p.name, p.score) for p in shown.parts] == [(p.name, p.score) for p in WRONG_ROW_SUM.parts]
    assert (shown.verdict, shown.score) == (WRONG_ROW_SUM.verdict, WRONG_ROW_SUM.score)


def test_a_public_case_that_failed_alike_speaks_for_the_kernel() -> None:
    shown = redact(WRONG_ROW_SUM)
    assert english(shown.kernels[0].reason) == "case task-1000: row_sum.cu:10 reads past the end of a"
    assert shown.kernels[1].reason == reason("hidden-case", number=2)


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
        name="speed",
        score=0,
        max_score=10,
        reason=as_written("waits"),
        withheld=Withheld(score=10, reason=as_written("400.00×")),
    )
    assert (
        redact(report("a", "lab", kernel("k", Verdict.SUSPICIOUS), parts=(part,))).parts[0].withheld is None
    )


def test_a_reason_that_shares_a_word_with_a_hidden_case_stays() -> None:
    # The hidden case is called "large"; the reason of the public one says "too large" of a grid.
    why = "invalid launch: the grid of 70000 blocks in y is too large"
    cases = (case("task-size", Verdict.CRASHED, why), case("large", hidden=True))
    shown = redact(
        report("s", "spmv", kernel("spmv", Verdict.CRASHED, in_case("task-size", why), cases=cases))
    )
    assert english(shown.kernels[0].cases[0].reason) == why
    assert shown.kernels[0].reason == in_case("task-size", why)


def test_a_reason_in_a_hidden_case_becomes_its_failure() -> None:
    why = "element 3 is off"
    only = kernel(
        "k", Verdict.WRONG, in_case("tall", why), cases=(case("tall", Verdict.WRONG, why, hidden=True),)
    )
    graded = report("a", "lab", only, reason=reason("in-kernel", kernel="k", reason=only.reason))
    failed = reason("hidden-case", number=1)
    assert redact(graded).reason == reason("in-kernel", kernel="k", reason=failed)


def test_a_reason_inside_a_reason_is_redacted_too() -> None:
    inner = reason("in-case", case="tall", reason=as_written("17 of 19 elements are wrong"))
    part = Part(
        name="agreement",
        score=0,
        max_score=5,
        reason=reason("withheld-until-review", reason=reason("in-kernel", kernel="k", reason=inner)),
    )
    graded = report("a", "lab", kernel("k", cases=(case("tall", hidden=True),)), parts=(part,))
    shown = english(redact(graded).parts[0].reason)
    assert "hidden case 1" in shown
    assert "tall" not in shown
    assert "17" not in shown


def test_a_public_case_skipped_for_a_hidden_one_hides_its_name() -> None:
    late = case("big-33", Verdict.TIMED_OUT, "still running after 10 s", hidden=True)
    skipped = case("task-1000", Verdict.TIMED_OUT, in_case("big-33", "timed out"))
    shown = redact(report("a", "lab", kernel("k", Verdict.TIMED_OUT, cases=(late, skipped))))
    assert shown.kernels[0].cases[1].reason == reason("hidden-case", number=1)


def test_a_finding_of_hidden_cases_alone_is_dropped() -> None:
    public = _diagnostic(DiagnosticKind.OUT_OF_BOUNDS, "thread 9 reads past the end of a")
    hidden = replace(public, message=as_written("thread 105 reads element 17391"), case="h")
    both = report("a", "lab", kernel("k", cases=(case("h", hidden=True),), diagnostics=(public, hidden)))
    assert redact(both).kernels[0].diagnostics == (public,)
    shown = redact(WRONG_ROW_SUM).kernels
    assert [found.kind for found in shown[0].diagnostics] == [DiagnosticKind.UNCOALESCED]
    assert shown[1].diagnostics == WRONG_ROW_SUM.kernels[1].diagnostics


def test_only_the_speedup_of_a_hidden_timing_case_stays() -> None:
    timed = replace(kernel("k", fast=speedup(4.0), seconds=1e-3), timing_visibility=Visibility.HIDDEN)
    (shown,) = redact(report("a", "lab", timed)).kernels
    assert (shown.speedup, shown.seconds, shown.timings) == (timed.speedup, None, ())


def test_a_report_of_an_older_grader_reveals_no_hidden_case() -> None:
    old = results_json.published_report(WRONG_ROW_SUM)
    shown = results_json.published_report(redact(results_v1.report_value(old)))
    text = msgspec.json.encode(shown).decode()
    for secret in ("hidden-huge", "hidden-1023x17", "17391", "1024.0", "512.0"):
        assert secret not in text


def test_the_seconds_used_are_shown_unless_hidden_cases_took_some() -> None:
    used = SecondsUsed(used=12.0, limit=60.0)
    public = replace(PUBLIC_ONLY, time_used=used, hidden_cases=("tall",))
    assert redact(public).time_used == used
    hidden = replace(report("a", "lab", kernel("k", cases=(case("tall", hidden=True),))), time_used=used)
    assert redact(hidden).time_used is None
