"""The files of a submission: their names, their lab, and what is no submission."""

import os
from pathlib import Path

import pytest

from grader.client import files as module
from grader.client.files import lab_of, read_files
from grader.errors import UserError

LABS = ("row-sum", "scan")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in (
        "scan/main.cu",
        "scan/inc/scan.cuh",
        "scan/.git/config",
        "scan/__pycache__/x.pyc",
        "row_sum.cu",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_folder_gives_its_files_by_their_paths() -> None:
    assert read_files([Path("scan")]) == {"main.cu": b"scan/main.cu", "inc/scan.cuh": b"scan/inc/scan.cuh"}


@pytest.mark.usefixtures("folder")
def test_names_are_those_below_the_common_folder() -> None:
    assert set(read_files([Path("scan/main.cu"), Path("scan/inc/scan.cuh")])) == {"main.cu", "inc/scan.cuh"}
    assert set(read_files([Path("scan/inc/scan.cuh")])) == {"scan.cuh"}
    assert set(read_files([Path("row_sum.cu"), Path("scan/main.cu")])) == {"row_sum.cu", "scan/main.cu"}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("paths", "lab"),
    [
        (["row_sum.cu"], "row-sum"),
        (["scan/main.cu"], "scan"),
        (["scan"], "scan"),
        (["scan/main.cu", "scan/inc/scan.cuh"], "scan"),
    ],
)
def test_a_file_or_its_folder_names_the_lab(paths: list[str], lab: str) -> None:
    assert lab_of([Path(path) for path in paths], LABS, None) == lab


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("paths", [["scan/inc/other.cuh", "x.cu"], ["row_sum.cu", "scan/main.cu"], ["x.cu"]])
def test_files_of_no_lab_or_of_two_are_refused(paths: list[str]) -> None:
    Path("x.cu").write_bytes(b"")
    Path("scan/inc/other.cuh").write_bytes(b"")
    with pytest.raises(UserError, match="--lab"):
        lab_of([Path(path) for path in paths], LABS, None)


def test_an_unknown_lab_is_refused_with_a_similar_one() -> None:
    with pytest.raises(UserError, match="row-sum"):
        lab_of([Path("x.cu")], LABS, "row-sums")


def test_too_many_or_too_large_files_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(UserError, match="no file"):
        read_files([folder / "empty"])
    monkeypatch.setattr(module, "MOST_BYTES", 5)
    with pytest.raises(UserError, match="MiB"):
        read_files([folder / "scan"])
    monkeypatch.setattr(module, "MOST_FILES", 1)
    with pytest.raises(UserError, match="2 files"):
        read_files([folder / "scan"])


def test_a_name_that_does_not_show_is_refused(folder: Path) -> None:
    name = os.fsdecode(b"a\xff.cu")
    (folder / name).write_bytes(b"")
    with pytest.raises(UserError, match="do not show"):
        read_files([folder / name])
