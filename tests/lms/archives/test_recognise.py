"""A system is recognised by what an archive holds, and never by the archive's name alone."""

from pathlib import Path

import pytest

from grader.errors import UserError
from grader.lms.archives.registry import installed, named
from tests.lms.archives.builders import KERNEL, read, zipped

MOODLE = {"Ada Example_12345_assignsubmission_file/a.cu": KERNEL}
BLACKBOARD = {"Demo_s1_attempt_2026-06-10-06-34-13_a.cu": KERNEL}


def test_every_built_in_system_is_installed() -> None:
    systems = {"moodle", "canvas", "gradescope", "blackboard", "brightspace", "github", "plain"}
    assert systems <= set(installed())


@pytest.mark.parametrize("name", ["submissions.zip", "gradebook_x.zip", "assignment_42_export.zip"])
def test_the_name_of_the_archive_decides_nothing(name: str, tmp_path: Path) -> None:
    assert read(zipped(tmp_path / name, MOODLE)).system == "moodle"


def test_folders_in_folders_of_one_name_are_looked_into(tmp_path: Path) -> None:
    # What "Extract all" and a second zip make of it.
    doubled = {f"export/export/{path}": text for path, text in MOODLE.items()}
    assert read(zipped(tmp_path / "export.zip", doubled)).ids == ["12345"]


def test_two_systems_in_one_archive_are_both_named(tmp_path: Path) -> None:
    both = zipped(tmp_path / "x.zip", MOODLE | BLACKBOARD)
    with pytest.raises(UserError) as said:
        read(both)
    assert "Moodle" in said.value.problem
    assert "Blackboard" in said.value.problem
    assert "--system moodle" in (said.value.hint or "")
    assert read(both, system="moodle").ids == ["12345"]


def test_an_unknown_system_is_named_with_the_installed_ones() -> None:
    with pytest.raises(UserError, match=r"sakai.*blackboard, brightspace, canvas"):
        named("sakai")


@pytest.mark.parametrize("files", [{}, {"__MACOSX/._a": "x"}], ids=["empty", "clutter"])
def test_an_archive_without_submissions_is_one_line(files: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no submission"):
        read(zipped(tmp_path / "x.zip", files))


def test_a_file_that_is_no_zip_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"Rar!\x1a\x07\x00")
    with pytest.raises(UserError, match="no zip file"):
        read(tmp_path / "x.zip")


def test_a_path_that_does_not_exist_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read(tmp_path / "missing.zip")
