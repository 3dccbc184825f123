"""JUnit XML: a suite for each submission, a test for each case, and the counts that a reader shows."""

from xml.etree import ElementTree as ET

import pytest

from grader.model.report import Report
from grader.model.verdict import Verdict
from grader.report import junit
from tests.report.examples import NASTY_NAMES, REPORTS, case, kernel, report

MIXED = report(
    "ann",
    "row-sum",
    kernel("row_sum", Verdict.WRONG, "wrong", cases=(case("one"), case("odd", Verdict.WRONG, "2 are wrong"))),
    kernel("row_sum_shared", Verdict.FAILED_TO_BUILD, "expected a semicolon", cases=()),
    kernel(
        "row_sum_wide", Verdict.NOT_GRADABLE, "no room", cases=(case("one", Verdict.NOT_GRADABLE, "no room"),)
    ),
)


def parsed(*reports: Report) -> ET.Element:
    return ET.fromstring(junit.dump(reports))


def outcomes(root: ET.Element) -> list[tuple[str, str, str]]:
    """The group, the name and the outcome of each test."""
    return [
        (test.attrib["classname"], test.attrib["name"], test[0].tag if len(test) else "passed")
        for test in root.iter("testcase")
    ]


def test_each_case_of_each_kernel_is_a_test() -> None:
    assert outcomes(parsed(MIXED)) == [
        ("row-sum.row_sum", "one", "passed"),
        ("row-sum.row_sum", "odd", "failure"),
        ("row-sum.row_sum_shared", "row_sum_shared", "failure"),
        ("row-sum.row_sum_wide", "one", "error"),
    ]


def test_a_failure_has_the_verdict_and_the_reason() -> None:
    (wrong, broken) = parsed(MIXED).iter("failure")
    assert (wrong.attrib["type"], wrong.attrib["message"]) == ("wrong", "2 are wrong")
    assert (broken.attrib["type"], broken.attrib["message"]) == ("failed to build", "expected a semicolon")


def test_a_kernel_that_fails_after_its_cases_fails_a_test() -> None:
    root = parsed(
        report("ann", "row-sum", kernel("row_sum", Verdict.TIMED_OUT, "while timed", cases=(case("one"),)))
    )
    assert outcomes(root)[-1] == ("row-sum.row_sum", "row_sum", "failure")


def test_a_submission_without_kernels_is_one_test() -> None:
    root = parsed(report("ann", "row-sum"))
    assert len(outcomes(root)) == 1


def test_counts_are_those_of_the_tests() -> None:
    root = parsed(MIXED, *REPORTS)
    for suites in (root, *root.iter("testsuite")):
        kinds = {"tests": "testcase", "failures": "failure", "errors": "error"}
        for count, tag in kinds.items():
            assert int(suites.attrib[count]) == len(list(suites.iter(tag)))
    assert len(list(root.iter("testsuite"))) == 1 + len(REPORTS)


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_a_nasty_name_stays_valid_xml(name: str) -> None:
    root = parsed(
        report(name, "row-sum", kernel(name, Verdict.WRONG, name, cases=(case(name, Verdict.WRONG, name),)))
    )
    assert len(list(root.iter("testcase"))) == 1
