"""The class as a table of students and labs."""

from dataclasses import replace

import pytest

from grader.model.reason import as_written
from grader.model.report import Part, Report, SpeedupKind
from grader.model.review import Adjustment
from grader.model.verdict import Verdict
from grader.report.distribution import BINS, lab_summaries
from grader.report.pages import class_page
from grader.report.pages.matrix import WORDS, Matrix, matrix
from grader.report.summary import ordered
from tests.report.examples import DOCUMENT, REPORTS, kernel, report, speedup
from tests.report.html_page import Page
from tools.messages import english


def _graded(student: str, lab: str, score: float = 100.0, verdict: Verdict = Verdict.ACCEPTED) -> Report:
    return report(student, lab, kernel("k", verdict), score=score)


def _matrix(*reports: Report) -> Matrix:
    found = ordered(reports)
    return matrix(found, [f"#{number}" for number in range(len(found))])


def test_students_are_rows_and_labs_are_columns() -> None:
    table = _matrix(_graded("student-10", "b"), _graded("student-2", "a"), _graded("student-2", "b"))
    assert table.labs == ("a", "b")
    assert [row.student for row in table.rows] == ["student-2", "student-10"]
    assert [[len(cell) for cell in row.cells] for row in table.rows] == [[1, 1], [0, 1]]
    assert table.missing == 1


def test_every_verdict_but_accepted_has_a_word() -> None:
    assert WORDS.keys() == set(Verdict) - {Verdict.ACCEPTED}
    (row,) = _matrix(_graded("a", "x"), _graded("a", "y", 12.0, Verdict.WRONG)).rows
    assert [english(cell[0].word) for cell in row.cells] == ["", "wrong"]


def test_the_sum_takes_the_best_score_of_each_lab() -> None:
    twice = (_graded("a", "x", 40.0), replace(_graded("a", "x", 70.0), file="x/a.py"))
    table = _matrix(*twice, _graded("a", "y", 0.0, Verdict.NOT_GRADABLE))
    assert table.rows[0].total == 70.0
    assert table.most == 200.0


def test_each_cell_has_the_link_to_its_report() -> None:
    reports = ordered(REPORTS)
    table = matrix(reports, [f"{r.lab}/{r.student}" for r in reports])
    links = {cell.link for row in table.rows for cells in row.cells for cell in cells}
    assert links == {f"{r.lab}/{r.student}" for r in reports}


def test_a_class_of_one_kind_names_the_kind_of_speedup_once() -> None:
    modelled = report("a", "x", kernel("k", fast=speedup(2.0)))
    measured = report("b", "x", kernel("k", fast=speedup(3.0, SpeedupKind.MEASURED)))
    assert [english(kind) for kind in _matrix(modelled).speedup_kinds] == ["modelled"]
    assert english(_matrix(modelled).rows[0].cells[0][0].speedup) == "2.00×"
    mixed = _matrix(modelled, measured)
    assert [english(kind) for kind in mixed.speedup_kinds] == ["measured", "modelled"]
    assert english(mixed.rows[1].cells[0][0].speedup) == "3.00× measured"


@pytest.mark.parametrize(("score", "at"), [(0.0, 0), (9.99, 0), (10.0, 1), (99.9, 9), (100.0, 10)])
def test_a_score_is_counted_in_its_tenth(score: float, at: int) -> None:
    (summary,) = lab_summaries([_graded("a", "x", score)])
    assert summary.score.counts == tuple(int(number == at) for number in range(BINS))


def test_each_line_of_the_rubric_has_a_distribution() -> None:
    def parts(first: float) -> tuple[Part, ...]:
        return (
            Part(name="right", score=first, max_score=50.0, reason=as_written("by its cases")),
            Part(name="bonus", score=0.0, max_score=0.0, reason=as_written("nothing to gain")),
        )

    graded = [
        report(name, "x", kernel("k"), parts=parts(points)) for name, points in (("a", 50.0), ("b", 30.0))
    ]
    (summary,) = lab_summaries(graded)
    assert [english(part.title) for part in summary.parts] == ["right", "bonus"]
    assert summary.parts[0].median == 40.0
    assert summary.parts[0].counts[6] == summary.parts[0].counts[10] == 1
    assert summary.parts[1].counts[10] == 2


def test_not_gradable_is_in_no_distribution() -> None:
    (summary,) = lab_summaries([_graded("a", "x", 0.0, Verdict.NOT_GRADABLE)])
    assert summary.submissions == 1
    assert sum(summary.score.counts) == 0
    assert summary.score.median is None


def _adjusted(graded: Report, *, excused: bool = False) -> Report:
    decided = Adjustment(
        excused=excused,
        score=12.0,
        verdict=graded.verdict,
        who="ada",
        why="ill",
        comment="",
        decided_at="2026-11-27T09:00:00+00:00",
    )
    return replace(graded, adjustment=decided)


def test_an_excused_student_has_no_points_and_is_no_problem() -> None:
    table = _matrix(_adjusted(_graded("a", "x", 30.0, Verdict.WRONG), excused=True), _graded("a", "y", 50.0))
    assert table.rows[0].total == 50.0
    assert (table.excused, table.changed, table.problems) == (1, 1, 0)
    assert english(table.rows[0].cells[0][0].word) == "excused"


def test_changed_points_count_and_are_marked() -> None:
    changed = _adjusted(_graded("a", "x", 30.0, Verdict.WRONG))
    table = _matrix(changed, _graded("b", "x"))
    assert table.rows[0].total == 30.0
    assert (table.excused, table.changed, table.problems) == (0, 1, 1)
    page = Page(class_page.render(replace(DOCUMENT, reports=(changed, _graded("b", "x")))))
    assert [td for td in page.all("td") if "changed" in (td.get("class") or "").split()]
    assert "12 → 30" not in " ".join(page.text.split("Not accepted")[0].split())
