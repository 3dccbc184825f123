"""The store in an SQLite file: the contract, and faults that only files have."""

import math
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.config.settings import Config, StoreSettings
from grader.errors import UserError
from grader.store import connect
from grader.store.port import Store
from grader.store.schema import SCHEMA_VERSION
from grader.store.sql import open_store
from tests.store.contract import StoreContract
from tests.store.records import record, review

ROOT = Path(__file__).parents[2]


def opened(base: Path, url: str = "") -> Store:
    return open_store(Config(base=base, store=StoreSettings(url=url)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = opened(tmp_path)
    yield store
    store.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / ".grader" / "grader.sqlite"


def reopened(tmp_path: Path) -> tuple[object, ...]:
    store = opened(tmp_path)
    try:
        return store.latest_all()
    finally:
        store.close()


class TestSqliteStore(StoreContract):
    """An SQLite file against the contract."""


def test_records_are_there_for_the_next_program(store: Store, tmp_path: Path) -> None:
    kept = record()
    store.put(kept)
    store.close()
    assert reopened(tmp_path) == (kept,)


def test_the_default_file_lies_below_the_base(store: Store, file: Path) -> None:
    store.put(record())
    assert file.is_file()


@pytest.mark.parametrize("name", ["class.sqlite", "deep/er/class.sqlite", "../class.sqlite", "ü b.sqlite"])
def test_a_relative_file_lies_below_the_base(tmp_path: Path, name: str) -> None:
    base = tmp_path / "what? 100%"
    base.mkdir()
    opened(base, f"sqlite:///{name}").close()
    assert (base / name).is_file()


def test_an_absolute_file_is_where_it_says(tmp_path: Path) -> None:
    opened(Path("/nonexistent"), f"sqlite:///{tmp_path}/here.sqlite").close()
    assert (tmp_path / "here.sqlite").is_file()


def test_commits_are_written_through_to_the_disk(tmp_path: Path) -> None:
    engine = connect.connect("", tmp_path)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    engine.dispose()


def test_a_report_with_nan_is_refused_and_not_stored(store: Store) -> None:
    kept = record()
    for score in (math.inf, math.nan):
        with pytest.raises(ValueError, match="JSON"):
            store.put(replace(kept, report=replace(kept.report, score=score)))
    assert store.latest_all() == ()


def test_a_report_of_a_newer_grader_is_graded_again(store: Store, file: Path) -> None:
    kept = record()
    store.put(kept)
    with sqlite3.connect(file) as database:
        database.execute("UPDATE graded_records SET report_version = report_version + 1")
    database.close()
    assert store.find(kept.key) is None
    assert store.latest_all() == ()


def test_a_damaged_record_is_named_and_replaced_by_regrading(store: Store, file: Path) -> None:
    kept = record()
    store.put(kept)
    with sqlite3.connect(file) as database:
        database.execute("UPDATE graded_records SET report = '{\"student\": 3}'")
    database.close()
    with pytest.raises(UserError, match=r"student-01 on row-sum.*damaged.*--fresh"):
        store.find(kept.key)
    store.put(kept)
    assert store.find(kept.key) == kept


def test_a_newer_store_is_refused_and_left_alone(store: Store, file: Path, tmp_path: Path) -> None:
    store.put(record())
    store.close()
    with sqlite3.connect(file) as database:
        database.execute("UPDATE grader_schema SET version = ?", [SCHEMA_VERSION + 1])
    database.close()
    with pytest.raises(UserError, match=f"has schema {SCHEMA_VERSION + 1}; this grader reads"):
        opened(tmp_path)
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT count(*) FROM graded_records").fetchone() == (1,)
    database.close()


def test_a_store_from_before_reviews_gets_their_table(store: Store, file: Path, tmp_path: Path) -> None:
    store.put(record())
    store.close()
    with closing(sqlite3.connect(file)) as database:
        database.execute("DROP TABLE reviews")
        database.commit()
    again = opened(tmp_path)
    again.add_review(record().key.submission_key, review("seen"))
    assert again.find(record().key) == record()
    assert again.reviews(record().key.submission_key) == (review("seen"),)
    again.close()


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE pets (name)")
    database.close()
    with pytest.raises(UserError, match="another program"):
        opened(tmp_path, "sqlite:///other.sqlite")
    with sqlite3.connect(other) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("pets",)]
    database.close()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    junk = tmp_path / "notes.txt"
    junk.write_bytes(b"dear diary, " * 1000)
    with pytest.raises(UserError, match=r"notes\.txt cannot be used: file is not a database.* Move"):
        opened(tmp_path, "sqlite:///notes.txt")
    assert junk.read_bytes() == b"dear diary, " * 1000


def test_a_database_with_damaged_pages_is_one_line(store: Store, file: Path, tmp_path: Path) -> None:
    for number in range(40):
        store.put(record(f"student-{number:02}"))
    store.close()
    damaged = bytearray(file.read_bytes())
    damaged[4096:] = b"\xa5" * (len(damaged) - 4096)
    file.write_bytes(damaged)
    with pytest.raises(UserError, match=r"cannot be used: .*malformed") as caught:
        reopened(tmp_path)
    assert "\n" not in str(caught.value)
    assert file.read_bytes() == damaged


def test_a_store_that_stays_locked_is_one_line(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store.put(record())
    monkeypatch.setattr(connect, "_BUSY_SECONDS", 0.1)
    blocker = sqlite3.connect(file, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    impatient = opened(tmp_path)
    with pytest.raises(UserError, match=r"locked\. Another program is using it"):
        impatient.put(record("student-02"))
    blocker.execute("ROLLBACK")
    blocker.close()
    impatient.put(record("student-02"))
    impatient.close()


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
    with pytest.raises(UserError, match=said) as caught:
        opened(tmp_path, url)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_threads_may_share_a_store(store: Store) -> None:
    records = [record(f"student-{number:02}") for number in range(24)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(store.put, records))
    assert store.latest_all() == tuple(records)


_GRADER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from grader.config import Config
    from grader.store.sql import open_store
    from tests.store.records import record
    who, count = sys.argv[2], int(sys.argv[3])
    store = open_store(Config(base=Path(sys.argv[1])))
    for number in range(count):
        store.put(record(f"{who}-{number:04}"))
        print(number, flush=True)
""")


def started(base: Path, who: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _GRADER, str(base), who, str(count)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_graders_on_a_new_file_lose_nothing(tmp_path: Path) -> None:
    graders = [started(tmp_path, who, 30) for who in ("left", "right")]
    for process in graders:
        process.communicate(timeout=600)
        assert process.returncode == 0
    assert len(reopened(tmp_path)) == 60


def test_kill_9_loses_no_record_that_was_put(tmp_path: Path) -> None:
    with started(tmp_path, "student", 9999) as process:
        assert process.stdout is not None
        while int(process.stdout.readline()) < 20:
            pass
        process.send_signal(signal.SIGKILL)
        # communicate() would miss the lines that readline() has already buffered.
        lines = process.stdout.read().split()
    last = int(lines[-1]) if lines else 20
    # The process may have stored one more record before it could print its number.
    assert len(reopened(tmp_path)) in {last + 1, last + 2}
