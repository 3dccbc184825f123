"""Gradebooks of other systems: only grades and feedback change, and nobody gets the grade of another."""

from dataclasses import replace

import pytest

from grader.errors import UserError
from grader.lms.gradebooks import Entry, Request, Scaling
from grader.lms.sheets import read_sheet
from grader.lms.words import System
from tests.lms.gradebook_files import (
    ADA,
    CANVAS,
    CASES,
    CLASS,
    ELSEWHERE,
    MOODLE_EN,
    MOODLE_RU,
    REQUEST,
    YULIA,
    Case,
    codes,
    filled,
)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_only_grades_and_feedback_change(case: Case) -> None:
    found = filled(case.system, case.before.encode(case.encoding))
    assert found.data.decode(case.encoding) == case.after
    assert found.data == case.after.encode(case.encoding)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_filling_in_twice_changes_nothing_more(case: Case) -> None:
    once = filled(case.system, case.before.encode(case.encoding))
    twice = filled(case.system, once.data)
    assert twice.data == once.data
    assert (twice.changed, twice.same) == (0, once.changed + once.same)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_without_grades_the_file_stays(case: Case) -> None:
    data = case.before.encode(case.encoding)
    assert filled(case.system, data, ()).data == data


def test_people_missing_on_either_side_are_named() -> None:
    notes = codes(filled(System.MOODLE, MOODLE_EN.encode(), (ADA, ELSEWHERE)))
    assert notes["export-not-in-file"] == {"count": 1, "people": ("Eve Elsewhere",)}
    assert notes["export-unknown"] == {"count": 2, "people": ("Юлия Ёлкина", "李 安")}


def test_people_without_points_and_excused_people_are_named() -> None:
    notes = codes(
        filled(System.MOODLE, MOODLE_EN.encode(), (replace(ADA, points=None, excused=True), *CLASS[1:]))
    )
    assert notes["export-excused"]["people"] == ("Ada Example",)
    assert notes["export-without-points"]["people"] == ("李 安",)


def test_equal_names_are_never_enough() -> None:
    namesake = Entry(student="ada-2", name="Ada Example", points=1.0, max_points=100.0)
    found = filled(System.MOODLE, MOODLE_EN.encode(), (namesake,))
    assert found.data == MOODLE_EN.encode()


def test_ids_keep_their_zeros() -> None:
    wrong = replace(ADA, student="x", email="", ids={System.GRADESCOPE: ("6000001",)})
    case = CASES["gradescope"]
    assert codes(filled(case.system, case.before.encode(), (wrong,)))["export-unknown"]["count"] == 2


def test_ids_of_different_people_in_one_row_are_refused() -> None:
    other = replace(YULIA, student="other", email="ada@example.edu")
    found = filled(System.MOODLE, MOODLE_EN.encode(), (replace(ADA, email=""), other))
    assert codes(found)["export-ambiguous"] == {"line": 2, "people": ("Ada Example", "Юлия Ёлкина")}
    assert b"87.5" not in found.data


def test_an_address_of_two_people_leads_to_nobody() -> None:
    twins = (YULIA, replace(YULIA, student="yulia-2"))
    assert filled(System.MOODLE, MOODLE_EN.encode(), twins).data == MOODLE_EN.encode()


def test_locked_rows_stay_in_any_language() -> None:
    data = MOODLE_RU.replace('"";"100,00";Да', '"";"100,00";Нет').encode()
    found = filled(System.MOODLE, data, (ADA,))
    assert codes(found)["export-closed"]["people"] == ("Ada Example",)
    assert found.data == data


def test_canvas_takes_no_grade_where_nothing_is_assigned() -> None:
    data = CANVAS.replace("8.00,,80", "8.00,N/A,80").encode()
    assert codes(filled(System.CANVAS, data, (ADA,)))["export-closed"]["people"] == ("Ada Example",)


def test_a_person_excused_in_canvas_stays_excused() -> None:
    data = CANVAS.replace("8.00,,80", "8.00,EX,80").encode()
    found = filled(System.CANVAS, data, (ADA,))
    assert found.data == data
    assert codes(found)["export-excused-there"] == {"count": 1, "people": ("Ada Example",)}


def test_a_grade_above_the_maximum_is_not_written_to_moodle_but_to_canvas() -> None:
    bonus = replace(ADA, points=104.0)
    assert codes(filled(System.MOODLE, MOODLE_EN.encode(), (bonus,)))["export-above-maximum"]["count"] == 1
    assert b"8.00,104,80" in filled(System.CANVAS, CANVAS.encode(), (bonus,)).data


@pytest.mark.parametrize(
    ("scaling", "grade"), [(Scaling.SCALE, b",8.75,10.00,"), (Scaling.AS_IS, b",9,10.00,")]
)
def test_another_maximum_is_scaled_or_not_as_the_user_says(scaling: Scaling, grade: bytes) -> None:
    data = MOODLE_EN.replace("100.00", "10.00").encode()
    entry = ADA if scaling is Scaling.SCALE else replace(ADA, points=9.0)
    assert grade in filled(System.MOODLE, data, (entry,), replace(REQUEST, scaling=scaling)).data


def test_another_maximum_is_refused_at_first() -> None:
    data = MOODLE_EN.replace("100.00", "10.00").encode()
    with pytest.raises(UserError, match="--scale"):
        filled(System.MOODLE, data)


def test_a_scale_of_words_is_refused() -> None:
    data = MOODLE_EN.replace("100.00", '"Poor,Good"').encode()
    with pytest.raises(UserError, match=r"Line 2: .*scale"):
        filled(System.MOODLE, data)


def test_moodles_minute_is_always_mentioned_and_its_dates_where_they_matter() -> None:
    assert "export-moodle-dates" not in codes(filled(System.MOODLE, MOODLE_EN.encode()))
    assert codes(filled(System.MOODLE, MOODLE_RU.encode()))["export-moodle-dates"] == {"count": 1}
    assert "export-moodle-minute" in codes(filled(System.MOODLE, MOODLE_EN.encode()))


def test_the_comment_of_a_teaching_assistant_stays() -> None:
    commented = replace(YULIA, feedback=("wrong",))
    found = read_sheet(filled(System.MOODLE, MOODLE_EN.encode(), (commented,)).data)
    cell = found.rows[2][9]
    assert cell == 'Well\r\ndone<div class="grader-feedback"><p>wrong</p></div>'
    again = filled(System.MOODLE, found.with_cells({}), (replace(YULIA, feedback=("right",)),))
    assert read_sheet(again.data).rows[2][9] == cell.replace("wrong", "right")


def test_feedback_can_be_left_out() -> None:
    found = filled(System.MOODLE, MOODLE_EN.encode(), request=replace(REQUEST, feedback=False))
    assert b"grader-feedback" not in found.data
    assert found.changed == 2


def test_a_worksheet_in_an_unknown_language_needs_its_column() -> None:
    data = MOODLE_EN.replace("Grade,", "Gxade,").replace("Identifier", "Idxntifier").encode()
    with pytest.raises(UserError, match=r"--column.*'Gxade'"):
        filled(System.MOODLE, data)
    found = filled(System.MOODLE, data, (ADA,), replace(REQUEST, column="Gxade"))
    assert found.changed == 1


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ("Row Sum (12),Row sum (13)", r"Several columns .*'Row Sum \(12\)'"),
        ("Matmul (12),Row Sum", r"No column .*'Matmul \(12\)'"),
    ],
)
def test_the_column_of_the_lab_must_be_one(headers: str, message: str) -> None:
    data = f"Student,ID,SIS Login ID,Section,{headers}\n".encode()
    with pytest.raises(UserError, match=message):
        filled(System.CANVAS, data)


def test_the_user_may_name_the_column() -> None:
    data = CANVAS.replace("Row Sum (12)", "Sums of rows (12)").encode()
    found = filled(System.CANVAS, data, (ADA,), Request(titles=("row-sum",), column="Sums of rows (12)"))
    assert b"8.00,87.5,80" in found.data


@pytest.mark.parametrize("system", [case.system for case in CASES.values()])
def test_another_systems_file_is_refused(system: System) -> None:
    with pytest.raises(UserError):
        filled(system, b"foo,bar\n1,2\n")


def test_formulas_in_the_file_are_pointed_out() -> None:
    data = MOODLE_EN.replace('"Ada Example"', '"=HYPERLINK(1)"').encode()
    assert codes(filled(System.MOODLE, data))["export-formulas-in-file"] == {"count": 1, "lines": (2,)}


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1+1", "@SUM(1)", "\t=1", "\r=1"])
def test_no_feedback_becomes_a_formula(start: str) -> None:
    found = filled(System.MOODLE, MOODLE_EN.encode(), (replace(ADA, feedback=(start,)),))
    assert "export-formulas-in-file" not in codes(found)
    assert read_sheet(found.data).rows[1][9].startswith("<div")
