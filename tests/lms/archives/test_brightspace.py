"""Brightspace's zips: a folder for each submission, with the date in its name."""

from datetime import datetime
from pathlib import Path

import pytest

from grader.lms.archives.received import TimeSource
from tests.lms.archives.builders import AT_STAMP, BERLIN, KERNEL, read, zipped

ADA = "12345-678901 - Ada Example - Jun 10, 2026 2:14 PM"


def test_the_folder_says_who_and_when(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "b.zip", {f"{ADA}/row_sum.cu": KERNEL, "index.html": "<html>"}))
    assert (found.system, found.ids, found.names) == ("brightspace", ["12345"], ["Ada Example"])
    assert found.texts == ({"row_sum.cu": KERNEL},)
    assert found.ignored == {"index.html": "brightspace-index"}
    assert (found.received[0].submitted_at, found.received[0].time_source) == (AT_STAMP, TimeSource.LOCAL)


def test_the_only_submission_is_no_wrapper(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "b.zip", {f"{ADA}/src/row_sum.cu": KERNEL}))
    assert (found.ids, found.texts) == (["12345"], ({"src/row_sum.cu": KERNEL},))


def test_a_resubmission_is_a_folder_of_its_own(tmp_path: Path) -> None:
    again = "12345-678901 - Ada Example - Jun 11, 2026 9:05 AM"
    found = read(zipped(tmp_path / "b.zip", {f"{ADA}/a.cu": KERNEL, f"{again}/a.cu": KERNEL}))
    assert found.ids == ["12345", "12345"]
    assert len({each.key for each in found.received}) == 2
    assert found.received[1].submitted_at == datetime(2026, 6, 11, 9, 5, tzinfo=BERLIN)


@pytest.mark.parametrize(
    "date",
    [
        *(
            *("June 10, 2026 214 PM", "Jun 10, 2026 2-14 PM", "Jun 10, 2026 2_14 PM"),
            "10 juin 2026 14 h 14",
            "10. Juni 2026 14.14",
            "10 de junio de 2026 2.14 p. m.",
        ),
        *(
            "10 июня 2026 г. 14.14",
            "2026年6月10日 下午2.14",
            "10 يونيو، 2026 2.14 م",
            "10 Haziran 2026 14.14",
        ),
    ],
)
def test_a_date_in_any_language_is_read(date: str, tmp_path: Path) -> None:
    (only,) = read(zipped(tmp_path / "b.zip", {f"12345-6 - 李 小明 - {date}/a.cu": KERNEL})).received
    assert only.submitted_at == AT_STAMP
    assert only.submitters[0].name == "李 小明"


def test_a_date_that_cannot_be_read_for_sure_is_not_guessed(tmp_path: Path) -> None:
    stamp = (2026, 10, 7, 8, 0, 0)
    zipped(tmp_path / "b.zip", {"12345-6 - Ada Example - 10.06.2026 14.14/a.cu": KERNEL}, stamp)
    (only,) = read(tmp_path / "b.zip").received
    assert (only.submitted_at, only.time_source) == (datetime(*stamp, tzinfo=BERLIN), TimeSource.FILE)
