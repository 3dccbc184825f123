"""Plain folders and zips, where names of files are names of students."""

from pathlib import Path

import pytest

from tests.lms.archives.builders import KERNEL, read, unpacked, zip_bytes, zipped


@pytest.mark.parametrize("make", [zipped, unpacked], ids=["zip", "folder"])
def test_files_and_folders_are_students(make: object, tmp_path: Path) -> None:
    assert callable(make)
    files = {"ada.cu": KERNEL, "bo/src/row_sum.cu": KERNEL, "bo/util.cuh": "", "list.txt": "x"}
    found = read(make(tmp_path / "row-sum.zip", files))
    assert (found.system, sorted(found.ids)) == ("plain", ["ada", "bo"])
    assert found.ignored == {"list.txt": "entry-of-no-student"}


def test_folders_of_labs_come_first(tmp_path: Path) -> None:
    files = {"c/row_sum/ada.cu": KERNEL, "c/matmul/ada.cu": KERNEL, "c/README.md": "x"}
    found = read(zipped(tmp_path / "x.zip", files), labs=("row-sum", "matmul"))
    assert [(each.assignment, each.submitters[0].name) for each in found.received] == [
        ("matmul", "ada"),
        ("row_sum", "ada"),
    ]
    assert found.ignored == {"README.md": "entry-beside-labs"}


def test_a_students_zip_is_their_submission(tmp_path: Path) -> None:
    inner = zip_bytes(tmp_path, {"project/row_sum.cu": KERNEL})
    found = read(unpacked(tmp_path / "row-sum", {"ada.zip": inner, "bo.cu": KERNEL}))
    assert dict(zip(found.ids, found.texts, strict=True)) == {
        "ada": {"row_sum.cu": KERNEL},
        "bo": {"bo.cu": KERNEL},
    }


def test_one_students_folder_is_no_wrapper(tmp_path: Path) -> None:
    assert read(zipped(tmp_path / "x.zip", {"ada/src/row_sum.cu": KERNEL})).ids == ["ada"]
    assert read(zipped(tmp_path / "class.zip", {"class/ada/row_sum.cu": KERNEL})).ids == ["ada"]


def test_decomposed_names_of_a_folder_are_composed(tmp_path: Path) -> None:
    found = read(unpacked(tmp_path / "row-sum", {"Mu\u0308ller/row_sum.cu": KERNEL}))
    assert (found.ids, found.texts) == (["M\u00fcller"], ({"row_sum.cu": KERNEL},))


def test_names_that_differ_in_case_stay_apart(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "row-sum.zip", {"Ada.cu": KERNEL, "ada.cu": KERNEL}))
    assert sorted(found.ids) == ["Ada", "ada"]
