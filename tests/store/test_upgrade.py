"""A store of an older schema opens without losing anything; a newer one is refused."""

import os
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from grader.errors import UserError
from grader.model.review import Decision as FlagDecision
from grader.model.run import EngineKind
from grader.model.verdict import Verdict
from grader.store import migrations, upgrade
from grader.store.documents import decompress
from grader.store.migrations import from_schema_1
from grader.store.regrade_tables import REGRADE_ROWS
from grader.store.rulings import FlagReview
from grader.store.schema import TABLES, VERSION_TABLE
from grader.store.values import NewScore
from tests.store.examples import NOON
from tests.store.opened import database, opened
from tests.store.partial_indexes import REGRADE_ROWS_OPEN
from tests.store.schema_1 import OldRows, install
from tools.paths import CHECKOUT

_DAMAGED = {"damaged-report", "damaged-key"}


def _rows(url: str, query: str) -> list[dict[str, Any]]:
    with database(url) as engine, engine.connect() as connection:
        return [dict(row) for row in connection.execute(text(query)).mappings()]


@pytest.fixture
def old(url: str) -> OldRows:
    """A store of schema 1 at ``url``."""
    return install(url)


def _readable(old: OldRows) -> list[dict[str, Any]]:
    return [row for row in old.records if row["student"] not in _DAMAGED]


def test_the_newest_migration_is_the_schema() -> None:
    config = AlembicConfig()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert ScriptDirectory.from_config(config).get_heads() == [upgrade.SCHEMA]


def test_migrations_make_the_tables_of_the_code(url: str) -> None:
    with opened(url), database(url) as engine, engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        found = compare_metadata(context, TABLES)
    assert REGRADE_ROWS_OPEN in REGRADE_ROWS.indexes
    tombstone = [each for each in found if each[0] == "remove_table" and each[1].name == "grader_schema"]
    assert [each for each in found if each not in tombstone] == []


def test_every_record_becomes_a_score(url: str, old: OldRows) -> None:
    with opened(url) as store:
        found = store.scores.history()
    expected = sorted(
        (row["created_at"], row["student"], row["lab"], row["engine"]) for row in _readable(old)
    )
    micros = _rows(url, "SELECT id, created_at FROM scores")
    times = {row["id"]: row["created_at"] for row in micros}
    assert (
        sorted((times[each.id], each.key.student, each.key.lab, each.engine.kind) for each in found)
        == expected
    )


def test_every_report_is_kept_byte_for_byte(url: str, old: OldRows) -> None:
    with opened(url):
        pass
    kept = _rows(url, "SELECT version, data FROM reports")
    assert {row["version"] for row in kept} == {1}
    assert sorted(decompress(row["data"]) for row in kept) == sorted(row["report"] for row in _readable(old))


def test_old_reports_can_be_read(url: str, old: OldRows) -> None:
    with opened(url) as store:
        found = store.scores.history()
        reports = store.scores.reports(found)
    assert len(reports) == len(_readable(old))
    for score in found:
        report = reports[score.id]
        assert (report.student, report.lab, report.score) == (score.key.student, score.key.lab, score.score)
        assert score.reason == report.reason
        assert (score.flag and score.flag.reason) == (report.kernels[0].reason if score.flag else None)


@pytest.mark.usefixtures("old")
def test_the_columns_of_an_old_score_are_those_of_its_report(url: str) -> None:
    with opened(url) as store:
        (flagged,) = (each.score for each in store.scores.flagged())
        best = store.scores.boards("row-sum")
        wrong = store.scores.latest("student-01", "matmul")
    assert flagged.flag is not None
    assert (flagged.key.student, flagged.flag.kernel) == ("student-02", "row_sum")
    assert [
        each.best and each.best.speedup.value for each in best if each.engine.kind is EngineKind.EMULATOR
    ] == [4, 2]
    assert wrong is not None
    assert (wrong.verdict, wrong.score, wrong.best) == (Verdict.WRONG, 70.5, None)


@pytest.mark.usefixtures("old")
def test_the_version_of_a_lab_still_decides_what_is_comparable(url: str) -> None:
    with opened(url) as store:
        found, left_out = store.scores.comparable("row-sum"), store.scores.left_out("row-sum")
    # Left out: a record of an older lab. Superseded: the first of two gradings of one submission.
    assert (len(found), left_out) == (5, 1)


def test_seeds_and_run_keys_are_kept(url: str, old: OldRows) -> None:
    with opened(url):
        pass
    kept = _rows(url, "SELECT * FROM old_records")
    same = ("key", "student", "lab", "seed", "created_at", "seconds", "run_key", "report_version")
    assert sorted(tuple(row[name] for name in same) for row in kept) == sorted(
        tuple(row[name] for name in same) for row in old.records
    )


def test_damaged_records_are_kept_verbatim(url: str, old: OldRows) -> None:
    with opened(url):
        pass
    kept = _rows(url, "SELECT student, report FROM old_records WHERE score_id IS NULL")
    damaged = [row for row in old.records if row["student"] in _DAMAGED]
    assert {row["student"]: row["report"] for row in kept} == {
        row["student"]: row["report"] for row in damaged
    }


@pytest.mark.usefixtures("old")
def test_reviews_become_decisions_in_their_order(url: str) -> None:
    with opened(url) as store:
        (flagged,) = store.scores.flagged()
    assert [decision.why for decision in flagged.decisions] == ["first look", "second look"]
    assert {decision.who for decision in flagged.decisions} == {"ta"}
    ruling = flagged.decisions[0].ruling
    assert isinstance(ruling, FlagReview)
    assert ruling.outcome is FlagDecision.CLEARED


@pytest.mark.usefixtures("old")
def test_an_old_review_holds_when_the_work_is_graded_again(url: str) -> None:
    with opened(url) as store:
        (flagged,) = store.scores.flagged()
        again = NewScore(
            key=flagged.score.key,
            facts=None,
            lab_code="made by another rule",
            rubric="rubric",
            engine=flagged.score.engine,
            report=store.scores.report(flagged.score),
        )
        store.scores.put(again, NOON)
        (found,) = store.scores.flagged()
    assert found.score.lab_code == "made by another rule"
    assert found.decisions == flagged.decisions


def test_a_review_of_a_record_that_is_gone_is_kept(url: str, old: OldRows) -> None:
    with opened(url):
        pass
    gone = [row["review"] for row in old.reviews if row["student"] == "student-09"]
    assert [row["review"] for row in _rows(url, "SELECT review FROM old_reviews")] == gone


def test_the_first_releases_had_no_reviews(url: str, old: OldRows) -> None:
    with database(url) as engine, engine.begin() as connection:
        connection.execute(text("DROP TABLE reviews"))
    with opened(url) as store:
        assert len(store.scores.history()) == len(_readable(old))


def test_forgetting_a_student_also_forgets_old_records(url: str, old: OldRows) -> None:
    with opened(url) as store:
        store.forget("student-01")
        store.forget("damaged-key")
        store.forget("student-09")
    left = {row["student"] for row in old.records} - {"student-01", "damaged-key"}
    assert {row["student"] for row in _rows(url, "SELECT student FROM old_records")} == left
    assert _rows(url, "SELECT student FROM old_reviews") == []


@pytest.mark.usefixtures("old")
def test_an_older_grader_sees_that_the_store_is_newer(url: str) -> None:
    with opened(url):
        pass
    assert _rows(url, "SELECT version FROM grader_schema") == [{"version": 2}]


def test_a_failed_upgrade_changes_nothing(url: str, old: OldRows, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        msg = "a column that no row fits"
        raise ValueError(msg)

    monkeypatch.setattr(from_schema_1, "_decision", fail)
    with pytest.raises(ValueError, match="no row fits"), opened(url):
        pass
    assert len(_rows(url, "SELECT id FROM graded_records")) == len(old.records)
    monkeypatch.undo()
    with opened(url) as store:
        assert len(store.scores.history()) == len(_readable(old))


def test_the_file_is_copied_before_its_upgrade(sqlite_url: str, tmp_path: Path) -> None:
    old = install(sqlite_url)
    with opened(sqlite_url):
        pass
    copy = tmp_path / ".grader" / "grader.sqlite.before-upgrade"
    with closing(sqlite3.connect(copy)) as before:
        assert before.execute("SELECT count(*) FROM graded_records").fetchone() == (len(old.records),)


def test_a_new_file_is_not_copied(sqlite_url: str, tmp_path: Path) -> None:
    with opened(sqlite_url):
        pass
    with opened(sqlite_url):
        pass
    assert [path.name for path in (tmp_path / ".grader").iterdir()] == ["grader.sqlite"]


@pytest.mark.parametrize("kind", ["new", "old"])
def test_processes_that_open_at_once_upgrade_once(url: str, kind: str) -> None:
    expected = len(_readable(install(url))) if kind == "old" else 0
    code = textwrap.dedent("""
        import sys
        from tests.store.opened import opened
        with opened(sys.argv[1]) as store:
            print(len(store.scores.history()))
    """)
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    command = [sys.executable, "-c", code, url]
    graders = [
        subprocess.Popen(command, cwd=CHECKOUT, env=environment, stdout=subprocess.PIPE) for _ in range(3)
    ]
    assert [int(grader.communicate(timeout=600)[0]) for grader in graders] == [expected] * 3


@pytest.mark.parametrize("version", [str(int(upgrade.SCHEMA) + 1), "unknown"])
def test_a_newer_store_is_refused_and_left_alone(url: str, version: str) -> None:
    with opened(url), database(url) as engine, engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{version}'"))  # noqa: S608 - our own words
    with pytest.raises(UserError, match=f"has schema {version}; this grader reads") as caught, opened(url):
        pass
    assert "\n" not in str(caught.value)
    assert _rows(url, f"SELECT version_num FROM {VERSION_TABLE}") == [{"version_num": version}]  # noqa: S608 - our own words


def test_an_old_store_of_an_unknown_version_is_refused(url: str, old: OldRows) -> None:
    with database(url) as engine, engine.begin() as connection:
        connection.execute(text("UPDATE grader_schema SET version = 7"))
    with pytest.raises(UserError, match="has schema 7; this grader reads"), opened(url):
        pass
    assert len(_rows(url, "SELECT id FROM graded_records")) == len(old.records)
