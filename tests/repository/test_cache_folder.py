"""Where what can be made again is kept, if it can be kept at all."""

from pathlib import Path

import pytest

from grader.cache import CACHE_VARIABLE, writable_cache_folder


def test_a_cache_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "kept" / "here"))
    assert writable_cache_folder() == tmp_path / "kept" / "here"
    assert (tmp_path / "kept" / "here").is_dir()


def test_there_is_none_where_it_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file" / "here"))
    assert writable_cache_folder() is None
