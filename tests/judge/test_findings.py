"""Diagnostics of many runs are merged into one readable list."""

from dataclasses import replace

from grader.judge.findings import (
    MAX_FINDINGS,
    as_reason,
    buffers_read_first,
    decisive_race,
    merged,
    most_severe_finding,
)
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import as_written, reason
from tools.messages import english


def found(
    kind: DiagnosticKind, severity: Severity, line: int, message: str = "", count: int = 1
) -> Diagnostic:
    return Diagnostic(
        kind=kind, severity=severity, message=as_written(message), file="a.cu", line=line, count=count
    )


NOTE = found(DiagnosticKind.UNCOALESCED, Severity.NOTE, 3, "uncoalesced load, a little", 5)
WARNING = found(DiagnosticKind.UNCOALESCED, Severity.WARNING, 3, "uncoalesced load, a lot", 7)
RACE = found(DiagnosticKind.SHARED_RACE, Severity.ERROR, 9, "two threads meet")


def test_one_line_says_one_thing_once_in_its_worst_words() -> None:
    (only,) = merged([NOTE, WARNING], ())
    assert (only.severity, english(only.message), only.count) == (
        Severity.WARNING,
        "uncoalesced load, a lot",
        12,
    )


def test_the_worst_come_first() -> None:
    assert merged([NOTE, RACE], ())[0] is not NOTE
    assert [d.kind for d in merged([NOTE, RACE], ())] == [
        DiagnosticKind.SHARED_RACE,
        DiagnosticKind.UNCOALESCED,
    ]


def test_the_list_is_bounded() -> None:
    many = [found(DiagnosticKind.UNCOALESCED, Severity.NOTE, line) for line in range(1, 4 * MAX_FINDINGS)]
    assert len(merged(many, ())) == MAX_FINDINGS


def test_only_a_race_that_is_an_error_spoils_a_right_result() -> None:
    hazard = found(DiagnosticKind.SHARED_RACE, Severity.WARNING, 4, "same warp")
    assert decisive_race([NOTE, hazard]) is None
    race = decisive_race([NOTE, hazard, RACE])
    assert race is not None
    assert (race.code, race.location) == ("finding-at-line", SourceLocation(file="a.cu", line=9))
    assert "two threads meet" in english(race)


def test_a_public_case_speaks_for_a_finding() -> None:
    seen = replace(WARNING, case="seen")
    worse = replace(
        found(DiagnosticKind.UNCOALESCED, Severity.ERROR, 3, "uncoalesced load, 4096 elements", 90), case="h"
    )
    (only,) = merged([worse, seen], {"seen"})
    assert only == seen
    (only,) = merged([worse], {"seen"})
    assert only.case == "h"


def test_the_worst_finding_of_the_failed_case_is_the_cause() -> None:
    elsewhere = replace(RACE, case="large")
    here = replace(found(DiagnosticKind.UNINITIALISED, Severity.WARNING, 7, "never written"), case="small")
    slow = replace(WARNING, case="small")
    assert most_severe_finding([elsewhere, slow, here], "small") == here
    assert most_severe_finding([elsewhere, slow], "small") is None


def test_a_cause_has_its_line_its_case_and_its_fix() -> None:
    said = as_reason(replace(RACE, case="small", advice=as_written("add a barrier")))
    assert (said.location, said.case) == (SourceLocation(file="a.cu", line=9), "small")
    assert said.params["advice"] == as_written("add a barrier")


def test_findings_of_hidden_cases_displace_none_that_a_student_reads() -> None:
    public = [
        replace(found(DiagnosticKind.UNCOALESCED, Severity.NOTE, line), case="seen")
        for line in range(1, 2 * MAX_FINDINGS)
    ]
    hidden = [
        replace(found(DiagnosticKind.SHARED_RACE, Severity.ERROR, line), case="unseen")
        for line in range(1, 2 * MAX_FINDINGS)
    ]
    alone = merged(public, {"seen"})
    both = merged([*public, *hidden], {"seen"})
    assert [each for each in both if each.case == "seen"] == list(alone)
    assert len(both) == 2 * MAX_FINDINGS


def exchange(
    first: int, *others: int, kernel: str = "k", array: str = "s", case: str | None = None
) -> Diagnostic:
    return Diagnostic(
        kind=DiagnosticKind.LANE_HAZARD,
        severity=Severity.WARNING,
        message=reason("lane-hazard", subject=reason("shared-array", name=array)),
        kernel=kernel,
        file="a.cu",
        line=first,
        related=tuple(SourceLocation(file="a.cu", line=line) for line in others),
        case=case,
    )


def test_exchanges_that_share_lines_are_one_finding_of_a_kernel() -> None:
    (only,) = merged([exchange(5, 6), exchange(5, 6, 7), exchange(7, array="u")], ())
    assert {each.line for each in only.lines} == {5, 6, 7}
    assert only.count == 3


def test_exchanges_elsewhere_or_in_another_kernel_stay_apart() -> None:
    assert len(merged([exchange(5, 6), exchange(8), exchange(5, 6, kernel="l")], ())) == 3


def test_hidden_cases_add_no_lines_to_an_exchange() -> None:
    (only,) = merged([exchange(5, case="seen"), exchange(5, 6, case="h")], {"seen"})
    assert (only.case, only.lines) == ("seen", exchange(5).lines)


def test_a_buffer_read_before_its_first_write_is_named() -> None:
    early = replace(
        found(DiagnosticKind.UNINITIALISED, Severity.WARNING, 7),
        message=reason("uninitialised-read", subject=reason("buffer", name="y")),
    )
    shared = replace(early, message=reason("uninitialised-read", subject=reason("shared-array", name="s")))
    assert buffers_read_first([early, shared, RACE]) == {"y"}
