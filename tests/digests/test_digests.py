"""A digest changes if and only if its input changes."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

import grader
from grader.digests import folder_digest, grader_digest, value_digest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    (folder / "starter").mkdir(parents=True)
    (folder / "lab.toml").write_text("name = 'x'")
    (folder / "starter" / "a.cu").write_text("kernel")
    return folder


def test_a_folder_that_is_moved_keeps_its_digest(folder: Path, tmp_path: Path) -> None:
    before = folder_digest(folder)
    shutil.copytree(folder, tmp_path / "elsewhere")
    assert folder_digest(tmp_path / "elsewhere") == before


def test_caches_and_hidden_files_do_not_count(folder: Path) -> None:
    before = folder_digest(folder)
    for name in ("__pycache__", ".git"):
        (folder / name).mkdir()
        (folder / name / "x.pyc").write_text("noise")
    (folder / "starter" / ".swp").write_text("noise")
    assert folder_digest(folder) == before


def test_every_change_of_a_file_counts(folder: Path) -> None:
    digests = {folder_digest(folder)}
    (folder / "lab.toml").write_text("name = 'y'")
    digests.add(folder_digest(folder))
    (folder / "lab.toml").rename(folder / "lab2.toml")
    digests.add(folder_digest(folder))
    (folder / "starter" / "a.cu").rename(folder / "a.cu")
    digests.add(folder_digest(folder))
    (folder / "empty").touch()
    digests.add(folder_digest(folder))
    assert len(digests) == 5


def test_moving_bytes_between_name_and_content_counts(tmp_path: Path) -> None:
    for name, content in (("one", b"ab"), ("two", b"a")):
        (tmp_path / name).mkdir()
        (tmp_path / name / ("x" if name == "one" else "xb")).write_bytes(content)
    assert folder_digest(tmp_path / "one") != folder_digest(tmp_path / "two")


def test_a_missing_folder_differs_from_an_empty_one(folder: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    missing = tmp_path / "missing"
    assert folder_digest(empty) != folder_digest(missing)
    assert folder_digest(folder, empty) != folder_digest(empty, folder)


def test_names_that_are_not_utf_8_count(folder: Path) -> None:
    before = folder_digest(folder)
    (folder / "caf\udce9.cu").touch()
    assert folder_digest(folder) != before


def test_the_graders_digest_is_that_of_its_package() -> None:
    assert grader_digest() == folder_digest(Path(grader.__file__).parent)


def test_options_that_are_equal_have_one_digest() -> None:
    @dataclass(frozen=True)
    class Options:
        seconds: float
        words: dict[str, int]

    first = value_digest(Options(1.5, {"a": 1, "b": 2}))
    assert first == value_digest(Options(1.5, {"b": 2, "a": 1}))
    assert first != value_digest(Options(1.25, {"a": 1, "b": 2}))
