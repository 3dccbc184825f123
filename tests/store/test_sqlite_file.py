"""Faults that only a database in a file has, and where the file lies."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from grader.config.settings import Config
from grader.errors import UserError
from grader.store import connect
from grader.store.ports import Store
from grader.store.sql_store import open_store
from tests.store.examples import put_score, submission
from tests.store.opened import opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store with one score."""
    file = tmp_path / "class.sqlite"
    with opened(f"sqlite:///{file}") as store:
        put_score(store, submission())
    return file


def _opened(file: Path) -> Store:
    with opened(f"sqlite:///{file}") as store:
        return store


def _execute(file: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute(statement).fetchall()
        database.commit()
    return rows


def test_scores_are_there_for_the_next_program(file: Path) -> None:
    with opened(f"sqlite:///{file}") as store:
        assert store.scores.latest("student-01", "row-sum") is not None


def test_the_default_file_lies_below_the_base(tmp_path: Path) -> None:
    open_store(Config(base=tmp_path)).close()
    assert (tmp_path / ".grader" / "grader.sqlite").is_file()


@pytest.mark.parametrize("name", ["class.sqlite", "deep/er/class.sqlite", "../class.sqlite", "ü b.sqlite"])
def test_a_relative_file_lies_below_the_base(tmp_path: Path, name: str) -> None:
    base = tmp_path / "what? 100%"
    base.mkdir()
    with opened(f"sqlite:///{name}", base):
        assert (base / name).is_file()


def test_commits_are_written_through_to_the_disk(tmp_path: Path) -> None:
    engine = connect.connect("", tmp_path)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()


@pytest.mark.parametrize("damage", ["x'00'", "CAST('{}' AS BLOB)"], ids=["compression", "content"])
def test_a_damaged_report_names_itself(file: Path, damage: str) -> None:
    _execute(file, f"UPDATE reports SET data = {damage}")  # noqa: S608 - our own words
    with opened(f"sqlite:///{file}") as store:
        (score,) = store.scores.history()
        with pytest.raises(UserError, match=r"student-01 on row-sum.*damaged") as caught:
            store.scores.report(score)
    assert "\n" not in str(caught.value)


def test_a_report_of_a_newer_grader_is_not_misread(file: Path) -> None:
    _execute(file, "UPDATE reports SET version = version + 1")
    with opened(f"sqlite:///{file}") as store:
        (score,) = store.scores.history()
        with pytest.raises(UserError, match="version"):
            store.scores.report(score)


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    _execute(other, "CREATE TABLE pets (name)")
    with pytest.raises(UserError, match="another program"):
        _opened(other)
    assert _execute(other, "SELECT name FROM sqlite_master") == [("pets",)]


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    junk = tmp_path / "notes.txt"
    junk.write_bytes(b"dear diary, " * 1000)
    with pytest.raises(UserError, match=r"notes\.txt cannot be used: file is not a database.* Move"):
        _opened(junk)
    assert junk.read_bytes() == b"dear diary, " * 1000


def test_a_database_with_damaged_pages_is_one_line(file: Path) -> None:
    damaged = bytearray(file.read_bytes())
    damaged[4096:] = b"\xa5" * (len(damaged) - 4096)
    file.write_bytes(damaged)
    with pytest.raises(UserError, match=r"cannot be used: .*malformed") as caught:
        _opened(file)
    assert "\n" not in str(caught.value)
    assert file.read_bytes() == damaged


def test_a_store_that_stays_locked_is_one_line(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_BUSY_SECONDS", 0.1)
    with (
        opened(f"sqlite:///{file}") as impatient,
        closing(sqlite3.connect(file, isolation_level=None)) as blocker,
    ):
        blocker.execute("BEGIN IMMEDIATE")
        with pytest.raises(UserError, match=r"locked\. Another program is using it"):
            put_score(impatient, submission("student-02"))
        blocker.execute("ROLLBACK")
        put_score(impatient, submission("student-02"))


def test_a_server_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    url = f"postgresql+psycopg://u:secret@/grader?host={tmp_path}"
    with pytest.raises(UserError, match="cannot be used") as caught, opened(url):
        pass
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("class.sqlite", "not a database URL"),
        ("mysql://root:secret@localhost/x", "mysql is not supported"),
        ("oracle+nonsense://u:secret@h/x", "oracle is not supported"),
        ("postgresql+nonsense://u:secret@h/x", "no database that can be opened"),
        ("sqlite:///folder", "unable to open"),
        ("sqlite:///plain/grader.sqlite", "cannot be made"),
    ],
)
def test_an_unreachable_url_is_one_line_without_the_password(tmp_path: Path, url: str, said: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain").write_text("a file")
    with pytest.raises(UserError, match=said) as caught, opened(url, tmp_path):
        pass
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)
