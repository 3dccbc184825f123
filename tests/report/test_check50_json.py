"""Results in the form of check50: true, false, or null for what did not run."""

import pytest

from grader.model.report import Report
from grader.model.verdict import Verdict
from grader.report import check50_json
from tests.report.examples import NASTY_NAMES, REPORTS, case, kernel, report

FAILED = report(
    "ann",
    "row-sum",
    kernel("row_sum", Verdict.WRONG, "wrong", cases=(case("one"), case("odd", Verdict.WRONG, "2 are wrong"))),
    kernel("shared", Verdict.FAILED_TO_BUILD, "expected a semicolon", cases=(case("one"),)),
    kernel("wide", Verdict.NOT_GRADABLE, "no room", cases=(case("one", Verdict.NOT_GRADABLE, "no room"),)),
    kernel("late", Verdict.TIMED_OUT, "while timed", cases=(case("one"),)),
)


def outcomes(found: Report) -> dict[str, bool | None]:
    return {each["name"]: each["passed"] for each in check50_json.document(found)["results"]}


def test_cases_are_checks_that_depend_on_the_build() -> None:
    assert outcomes(FAILED) == {
        "row_sum: builds": True,
        "row_sum: one": True,
        "row_sum: odd": False,
        "shared: builds": False,
        "shared: one": None,
        "wide: builds": True,
        "wide: one": None,
        "late: builds": True,
        "late: one": True,
        "late": False,
    }
    results = {each["name"]: each for each in check50_json.document(FAILED)["results"]}
    assert results["shared: one"]["dependency"] == "shared: builds"
    assert results["row_sum: odd"]["cause"]["rationale"] == "2 are wrong"
    assert results["row_sum: one"]["cause"] is None


def test_a_submission_without_kernels_is_one_check() -> None:
    assert len(outcomes(report("ann", "row-sum"))) == 1


@pytest.mark.parametrize("found", REPORTS)
def test_every_report_has_the_fields_of_check50(found: Report) -> None:
    document = check50_json.document(found)
    assert document.keys() == {"slug", "version", "results"}
    names = {each["name"] for each in document["results"]}
    for each in document["results"]:
        assert each.keys() == {"name", "description", "passed", "log", "cause", "data", "dependency"}
        assert each["dependency"] is None or each["dependency"] in names
        assert (each["cause"] is None) is (each["passed"] is True)


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_nasty_names_are_escaped(name: str) -> None:
    data = check50_json.encoded(report(name, "lab", kernel(name, cases=(case(name),))))
    assert data.decode().isprintable() or "\n" in data.decode()
