"""A report is written completely or not at all."""

import os
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.report.files import write_atomically


def test_the_file_appears_in_a_folder_that_did_not_exist(tmp_path: Path) -> None:
    write_atomically(tmp_path / "results" / "new" / "grades.csv", b"a")
    assert (tmp_path / "results" / "new" / "grades.csv").read_bytes() == b"a"


def test_an_older_file_is_replaced_and_nothing_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "grades.csv"
    path.write_bytes(b"old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_keeps_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "grades.csv"
    path.write_bytes(b"old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="No space left on device"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_path_that_is_a_folder_is_one_line_to_the_user(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Cannot write") as caught:
        write_atomically(tmp_path, b"x")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_the_folder_is_one_line_to_the_user(tmp_path: Path) -> None:
    (tmp_path / "results").write_bytes(b"")
    with pytest.raises(UserError, match="Cannot write"):
        write_atomically(tmp_path / "results" / "grades.csv", b"x")


def test_a_symbolic_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_bytes(b"old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    write_atomically(tmp_path / "link.csv", b"new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_bytes() == b"new"


def test_a_pipe_is_written_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"report")
        assert os.read(reader, 100) == b"report"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_others_may_read_the_file_as_the_umask_allows(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_atomically(tmp_path / "grades.csv", b"x")
    finally:
        os.umask(before)
    assert (tmp_path / "grades.csv").stat().st_mode & 0o777 == 0o644
