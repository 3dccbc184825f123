"""The hardest cases come first."""

from dataclasses import replace

from grader.model.report import Report
from grader.model.verdict import Verdict
from grader.report.case_difficulty import case_difficulties
from tests.report.examples import case, kernel, report


def test_cases_are_ordered_by_the_part_that_failed() -> None:
    def outcome(student: str, odd: Verdict, even: Verdict) -> Report:
        cases = (replace(case("odd"), verdict=odd), replace(case("even"), verdict=even))
        return replace(report(student, "row-sum"), kernels=(kernel("k", Verdict.WRONG, cases=cases),))

    found = case_difficulties(
        [
            outcome("ada", Verdict.ACCEPTED, Verdict.WRONG),
            outcome("bob", Verdict.WRONG, Verdict.WRONG),
            outcome("cyd", Verdict.NOT_GRADABLE, Verdict.WRONG),
        ]
    )
    assert [(each.case, each.failed, each.ran) for each in found] == [("even", 3, 3), ("odd", 1, 2)]
