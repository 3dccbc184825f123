"""Blackboard's zips: every attempt, with receipts in the language of the person who downloads."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from grader.lms.archives.received import TimeSource
from tests.lms.archives.builders import BERLIN, KERNEL, read, zipped

STAMP = "2026-06-10-06-34-13"


def receipt(
    start: str,
    files: dict[str, str],
    *,
    name: str = "Ada Example (s0000001)",
    date: str = "Wednesday, June 10, 2026 6:34:13 AM EDT",
    text: str = "There is no student submission text data for this assignment.",
    comments: str = "There are no student comments for this assignment.",
) -> str:
    listed = "".join(
        f"\tOriginal filename: {original}\n\tFilename: {stored}\n\n" for stored, original in files.items()
    )
    assignment = start.rpartition("_")[0]
    return (
        f"Name: {name}\nAssignment: {assignment}\nDate Submitted: {date}\nCurrent Grade: Needs Grading\n\n"
        f"Submission Field:\n{text}\n\nComments:\n{comments}\n\nFiles:\n{listed}"
    )


def attempt(start: str, stamp: str = STAMP, **more: str) -> dict[str, str]:
    stored = f"{start}_attempt_{stamp}_row_sum.cu"
    return {stored: KERNEL, f"{start}_attempt_{stamp}.txt": receipt(start, {stored: "row sum.cu"}, **more)}


def test_a_file_gets_its_original_name_and_the_receipt_is_none(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "gradebook_x.zip", attempt("Demo_s0000001")))
    assert (found.system, found.ids, found.names) == ("blackboard", ["s0000001"], ["Ada Example"])
    assert found.texts == ({"row sum.cu": KERNEL},)
    assert found.received[0].assignment == "Demo"


def test_every_attempt_is_in_the_zip(tmp_path: Path) -> None:
    files = attempt("Demo_s0000001", "2026-06-11-06-34-13") | attempt("Demo_s0000001")
    found = read(zipped(tmp_path / "b.zip", files))
    assert [each.number for each in found.received] == [1, 2]
    assert [each.key for each in found.received] == [STAMP, "2026-06-11-06-34-13"]


def test_the_assignment_and_the_user_may_hold_underscores(tmp_path: Path) -> None:
    files = attempt("Lab_1_row_sum_ada_ex", name="Ada Example (ada_ex)")
    found = read(zipped(tmp_path / "b.zip", files))
    assert found.ids == ["ada_ex"]
    assert found.received[0].assignment == "Lab_1_row_sum"


def test_a_comment_that_lists_files_breaks_nothing(tmp_path: Path) -> None:
    trap = "Files:\n\tOriginal filename: other.cu\n\tFilename: Demo_s0000001_attempt_2026-06-10-06-34-13_row_sum.cu"
    found = read(zipped(tmp_path / "b.zip", attempt("Demo_s0000001", comments=trap)))
    assert found.texts == ({"row sum.cu": KERNEL},)


def test_a_listed_file_that_is_missing_is_no_file(tmp_path: Path) -> None:
    start = "Demo_s0000001"
    gone = {f"{start}_attempt_{STAMP}_gone.cu": "gone.cu"}
    files = attempt(start) | {f"{start}_attempt_{STAMP}.txt": receipt(start, gone)}
    assert read(zipped(tmp_path / "b.zip", files)).texts == ({"row_sum.cu": KERNEL},)


def test_two_files_of_one_original_name_are_both_kept(tmp_path: Path) -> None:
    start = f"Demo_s0000001_attempt_{STAMP}"
    files = {f"{start}_a.cu": KERNEL, f"{start}_a(1).cu": "// two"}
    text = receipt("Demo_s0000001", dict.fromkeys(files, "a.cu"))
    found = read(zipped(tmp_path / "b.zip", {**files, f"{start}.txt": text}))
    assert sorted(found.texts[0].values()) == sorted(files.values())


def test_a_students_text_file_is_no_receipt(tmp_path: Path) -> None:
    start = "Demo_s0000001"
    files = attempt(start) | {f"{start}_attempt_{STAMP}_notes.txt": "Name: x (y)"}
    found = read(zipped(tmp_path / "b.zip", files))
    assert set(found.texts[0]) == {"row sum.cu", "notes.txt"}
    assert found.ids == ["s0000001"]


@pytest.mark.parametrize(
    ("date", "hours", "source"),
    [
        ("Wednesday, June 10, 2026 6:34:13 AM EDT", -4, TimeSource.STATED),
        ("Wednesday, 10 June 2026 06:34:13 o'clock CEST", 2, TimeSource.STATED),
        ("Mittwoch, 10. Juni 2026 06.34 Uhr MESZ", 2, TimeSource.STATED),
        ("2026年6月10日 星期三 上午06时34分13秒 HKT", 8, TimeSource.STATED),
        # British Summer Time, or that of Bangladesh: the zone of the course is assumed, and said.
        ("Wednesday, 10 June 2026 06:34:13 o'clock BST", 2, TimeSource.LOCAL),
        ("الأربعاء، 10 يونيو، 2026 6:34:13 ص", 2, TimeSource.LOCAL),
    ],
)
def test_the_zone_comes_from_the_receipt_in_any_language(
    date: str, hours: int, source: TimeSource, tmp_path: Path
) -> None:
    (only,) = read(zipped(tmp_path / "b.zip", attempt("Demo_s0000001", date=date))).received
    assert only.submitted_at == datetime(2026, 6, 10, 6, 34, 13, tzinfo=UTC) - timedelta(hours=hours)
    assert only.time_source is source


def test_a_receipt_in_chinese_names_its_student(tmp_path: Path) -> None:
    start = f"Demo_a_b_attempt_{STAMP}"
    text = "\u59d3\u540d\uff1a\u674e\u6ce2 (a_b)\n\u4f5c\u4e1a\uff1aDemo\n"
    found = read(zipped(tmp_path / "b.zip", {f"{start}_a.cu": KERNEL, f"{start}.txt": text}))
    assert (found.ids, found.names) == (["a_b"], ["\u674e\u6ce2"])


def test_without_a_receipt_the_last_word_is_the_user(tmp_path: Path) -> None:
    (only,) = read(zipped(tmp_path / "b.zip", {f"Lab_1_s7_attempt_{STAMP}_a.cu": KERNEL})).received
    assert (only.submitters[0].ids[0].value, only.assignment) == ("s7", "Lab_1")
    assert only.submitted_at == datetime(2026, 6, 10, 6, 34, 13, tzinfo=BERLIN)


def test_a_typed_submission_is_read_without_the_comments(tmp_path: Path) -> None:
    code = "__global__ void f(int *x)\n{\n  switch (*x) {\n\ndefault:\n  ; }\n}"
    text = receipt("Demo_s0000001", {}, text=code, comments="Hello\n\nNote: late")
    found = read(zipped(tmp_path / "b.zip", {f"Demo_s0000001_attempt_{STAMP}.txt": text}))
    assert found.texts == ({"submission.cu": f"{code}\n"},)
