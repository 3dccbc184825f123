"""The class page in a browser: its script, its policy, and its width on a phone."""

import os
from dataclasses import replace
from typing import Any

import pytest

from grader.model.report import Report
from grader.model.verdict import Verdict
from grader.report.pages import class_page, feedback_page, submission_page
from grader.report.redact import Audience
from tests.report.examples import DOCUMENT, SOURCES, WRONG_ROW_SUM, kernel, report, speedup
from tools.browser import CHROMIUM, Frame, observe

REQUIRED = "GRADER_TEST_CHROMIUM"
"""CI sets it, and a missing browser fails the tests."""

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and REQUIRED not in os.environ, reason="there is no chromium on this machine"
)

PHONE, DESKTOP = 390, 1280


def _graded(student: str, lab: str, score: float, verdict: Verdict = Verdict.ACCEPTED) -> Report:
    return report(student, lab, kernel("k", verdict, fast=speedup(2.0)), score=score)


CLASS = replace(
    DOCUMENT,
    reports=(
        _graded("Zoë", "a", 90.0),
        _graded("Zoë", "b", 40.0, Verdict.WRONG),
        _graded("ben-10", "a", 100.0),
        _graded("ben-2", "a", 20.0, Verdict.CRASHED),
        _graded("ben-2", "b", 95.0),
    ),
)
PAGE = class_page.render(CLASS)

_HELPERS = """
  const names = () => [...document.querySelectorAll("#matrix tbody tr")]
    .filter((row) => row.getClientRects().length).map((row) => row.cells[0].textContent);
  const labs = () => [...document.querySelectorAll("#matrix thead th")]
    .filter((head) => head.getClientRects().length).slice(2).map((head) => head.querySelector("bdi").textContent);
  const find = (text) => {
    const field = document.getElementById("find");
    field.value = text;
    field.dispatchEvent(new page.Event("input"));
  };
  const lab = (value) => {
    const field = document.getElementById("lab");
    field.value = value;
    field.dispatchEvent(new page.Event("change"));
  };
  const press = (verdict) => document.querySelector(`[data-verdict="${verdict}"]`).click();
  const count = (verdict) => document.querySelector(`[data-verdict="${verdict}"] span`).textContent;
  const sort = (column) => document.querySelectorAll("#matrix thead button")[column].click();
  const problems = () => [...document.querySelectorAll("#problem-rows tbody tr")]
    .filter((row) => row.getClientRects().length).map((row) => row.cells[0].textContent.trim());
"""


SCRIPTS = {
    "accents": 'find("ZOE"); return [names(), problems()];',
    "no student": 'find("nobody"); return [names(), document.getElementById("shown").parentElement.textContent];',
    "wrong": 'press("v-wrong"); return [names(), problems()];',
    "missing": 'press("v-none"); return names();',
    "all again": 'press("v-wrong"); press(""); return names().length;',
    "one lab": 'lab("1"); return [labs(), count(""), count("v-accepted"), problems()];',
    "lab and verdict": 'lab("0"); press("v-wrong"); return names();',
    "all labs again": 'lab("1"); lab(""); return labs();',
    "by score": "sort(2); return names();",
    "by score, reversed": "sort(2); sort(2); return names();",
    "by name, reversed": "sort(0); return names();",
    "sorted heading": 'sort(3); return document.querySelector("[aria-sort] bdi").textContent;',
    "keys": """
      document.querySelector("#matrix tbody a").focus();
      const at = () => {
        const cell = document.activeElement.closest("td");
        return [cell.parentElement.cells[0].textContent, cell.cellIndex];
      };
      const visited = [at()];
      for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"]) {
        document.activeElement.dispatchEvent(new page.KeyboardEvent("keydown", { key, bubbles: true }));
        visited.push(at());
      }
      return visited;
    """,
    "tab order": """
      const stops = () => [...document.querySelectorAll("#matrix td a")].filter((link) => link.tabIndex === 0)
        .map((link) => link.closest("tr").cells[0].textContent);
      const before = stops();
      document.querySelectorAll("#matrix tbody tr")[2].querySelector("a").focus();
      const focused = stops();
      press("v-crashed");
      return [before, focused, stops()];
    """,
    "speedups": """
      const shown = () => document.querySelector("#matrix .fast").getClientRects().length;
      const before = shown();
      document.getElementById("speedups").click();
      return [before, shown()];
    """,
}


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """What each of ``SCRIPTS`` returns, on a fresh class page."""
    frames = [
        Frame(page=PAGE, script=f"{_HELPERS} found.value = (() => {{ {script} }})();", width=DESKTOP)
        for script in SCRIPTS.values()
    ]
    return {name: each["value"] for name, each in zip(SCRIPTS, observe(frames).found, strict=True)}


def test_the_view_is_a_part_of_the_address() -> None:
    scripts = """
      find("e"); lab("1"); press("v-wrong"); sort(3); document.getElementById("speedups").click();
      found.hash = page.location.hash;
    """
    (made,) = observe([Frame(page=PAGE, script=_HELPERS + scripts, width=DESKTOP)]).found
    assert set(made["hash"][1:].split("&")) == {
        "find=e",
        "lab=1",
        "verdict=v-wrong",
        "speedups=",
        "sort=3+descending",
    }


def test_an_address_restores_its_view() -> None:
    script = """
      found.value = [names(), labs(), document.querySelector("[aria-sort] bdi").textContent,
        document.getElementById("speedups").checked, document.querySelector("[aria-pressed=true]").dataset.verdict];
    """
    fragment = "#find=e&lab=1&verdict=v-accepted&speedups=&sort=3+ascending"
    foreign = "#lab=9&verdict=nothing&sort=99+up&x=<b>"
    frames = [
        Frame(page=PAGE, script=_HELPERS + script, width=DESKTOP, fragment=fragment),
        Frame(
            page=PAGE,
            script="found.rows = document.querySelectorAll('tbody tr').length;",
            width=DESKTOP,
            fragment=foreign,
        ),
    ]
    restored, other = observe(frames).found
    assert restored["value"] == [["ben-2"], ["b"], "b", True, "v-accepted"]
    assert other["rows"] > 0


def test_students_are_found_without_case_and_accents(found: dict[str, Any]) -> None:
    assert found["accents"] == [["Zoë"], ["Zoë"]]
    assert found["no student"] == [[], "students shown: 0 / 3"]


def test_a_verdict_shows_the_students_who_have_it(found: dict[str, Any]) -> None:
    assert found["wrong"] == [["Zoë"], ["Zoë"]]
    assert found["missing"] == ["ben-10"]
    assert found["all again"] == 3


def test_a_lab_hides_the_other_labs_and_counts_again(found: dict[str, Any]) -> None:
    assert found["one lab"] == [["b"], "2", "1", ["Zoë"]]
    assert found["lab and verdict"] == []
    assert found["all labs again"] == ["a", "b"]


def test_a_heading_sorts_and_sorts_back(found: dict[str, Any]) -> None:
    assert found["by score"] == ["ben-10", "Zoë", "ben-2"]
    assert found["by score, reversed"] == ["ben-2", "Zoë", "ben-10"]
    assert found["by name, reversed"] == ["Zoë", "ben-10", "ben-2"]
    assert found["sorted heading"] == "b"


def test_arrow_keys_move_between_scores(found: dict[str, Any]) -> None:
    a, b = 2, 3
    start, down, no_score = ["ben-2", a], ["ben-10", a], ["ben-10", a]
    assert found["keys"] == [start, down, no_score, ["Zoë", a], ["Zoë", b], ["ben-2", b], ["ben-2", a]]


def test_one_score_takes_part_in_the_tab_order(found: dict[str, Any]) -> None:
    assert found["tab order"] == [["ben-2"], ["Zoë"], ["ben-2"]]


def test_speedups_are_shown_on_demand(found: dict[str, Any]) -> None:
    assert found["speedups"] == [0, 1]


def test_no_page_is_wider_than_its_window_or_breaks_its_policy() -> None:
    one = replace(DOCUMENT, reports=(WRONG_ROW_SUM,))
    pages = (
        class_page.render(DOCUMENT, SOURCES),
        submission_page.render(one, SOURCES, Audience.STAFF),
        feedback_page.render("student-03", DOCUMENT, SOURCES, "ru"),
    )
    script = """
      document.querySelectorAll("details").forEach((each) => { each.open = true; });
      found.widths = [document.documentElement.scrollWidth, document.documentElement.clientWidth];
    """
    observed = observe(
        [Frame(page=page, script=script, width=width) for page in pages for width in (PHONE, DESKTOP)]
    )
    assert all(wide <= window for wide, window in (each["widths"] for each in observed.found))
    assert observed.console == ()


def test_the_policy_stops_a_foreign_script() -> None:
    foreign = PAGE.replace("</body>", "<script>document.title = 'changed'</script></body>")
    observed = observe([Frame(page=foreign, script="found.title = document.title;", width=DESKTOP)])
    assert observed.found[0]["title"] == "Class results – Grader"
    assert len(observed.console) == 1
