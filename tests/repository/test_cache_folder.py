"""The cache folder: where it is, and which of its entries are trusted."""

import os
from pathlib import Path

import pytest

from grader.cache import CACHE_VARIABLE, CacheFolder, writable_cache_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CacheFolder:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return CacheFolder("things")


def test_a_cache_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "kept" / "here"))
    assert writable_cache_folder() == tmp_path / "kept" / "here"
    assert (tmp_path / "kept" / "here").is_dir()


def test_there_is_none_where_it_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file" / "here"))
    assert writable_cache_folder() is None


def test_an_entry_is_read_as_it_was_written(folder: CacheFolder) -> None:
    assert folder.read("one") is None
    folder.write("one", b"content")
    assert folder.read("one") == b"content"
    assert folder.read("two") is None
    assert [path.name for path in folder.path.iterdir()] == ["one"]


@pytest.mark.parametrize("damage", [b"", b"grader-cache-1\n", b"X" * 200])
def test_a_damaged_entry_counts_as_missing(
    folder: CacheFolder, damage: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("one", b"content")
    (folder.path / "one").write_bytes(damage)
    assert folder.read("one") is None
    message = capsys.readouterr().err
    assert "damaged" in message
    assert message.count("\n") == 1
    folder.write("one", b"content")
    assert folder.read("one") == b"content"


def test_an_entry_under_another_name_counts_as_damaged(folder: CacheFolder) -> None:
    folder.write("one", b"content")
    (folder.path / "one").rename(folder.path / "two")
    assert folder.read("two") is None


def test_what_others_may_write_is_not_read(folder: CacheFolder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.write("one", b"content")
    (folder.path / "one").chmod(0o666)
    assert folder.read("one") is None
    assert "another user" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))
    folder = CacheFolder("things")
    folder.write("one", b"content")
    assert folder.read("one") is None


def test_the_entries_used_longest_ago_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    folder = CacheFolder("things", most_bytes=2500)
    for age, name in enumerate(["new", "old"], start=1):
        folder.write(name, bytes(1000))
        os.utime(folder.path / name, (1000 - age, 1000 - age))
    folder.write("newest", bytes(1000))
    assert {path.name for path in folder.path.iterdir()} == {"new", "newest"}
