"""A backup restores every row, between databases too; a damaged one changes nothing."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from grader.config.settings import Config, StoreSettings
from grader.errors import UserError
from grader.model.review import Decision as FlagDecision
from grader.model.verdict import Verdict
from grader.store.backup import backup, restore
from grader.store.job_tables import WORKERS
from grader.store.job_values import NewJob
from grader.store.lti_values import PendingLogin
from grader.store.rulings import Excuse, FlagReview, Override
from grader.store.schema import TABLES
from grader.store.tables import CLAIMS
from grader.store.upgrade import SCHEMA
from tests.store.account_contract import open_account
from tests.store.course_contract import ADA
from tests.store.examples import NOON, T4, attempt, decision, facts, fast_report, put_score, submission
from tests.store.lti_contract import FULL, linked
from tests.store.opened import database, opened
from tests.store.regrade_contract import regrade
from tests.store.schema_1 import install


def _config(url: str) -> Config:
    return Config(base=Path("/nonexistent"), store=StoreSettings(url=url))


def _content(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with database(url) as engine, engine.connect() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in TABLES.sorted_tables
        }


def _fill(url: str) -> None:
    """A store that was upgraded from schema 1 and used since: every table but those of running graders has rows."""
    install(url)
    work = submission("new")
    with opened(url) as store:
        kept = store.facts.put(facts(work, b"\0\xff"))
        store.lab_versions.put("code", {"case odd": "aa"})
        put_score(store, work, fast_report(work, verdict=Verdict.SUSPICIOUS), facts=kept.key.digest)
        ruling = FlagReview(outcome=FlagDecision.CONFIRMED, lab_code="code", engine=T4)
        for each in (ruling, Override(points=3.5, comment="späť"), Excuse()):
            store.decisions.add(decision(each, work))
        store.attempts.put_all([attempt("new", number=1), attempt("new", source="history", submission=None)])
        store.people.put_all([ADA])
        regrade(store, work)
        store.jobs.submit(work, NewJob(seed=2**127), NOON)
        store.pushes.want(linked(store), {work.student: FULL}, NOON)
        store.platforms.begin_login("0" * 64, PendingLogin(platform=1, nonce="n"), NOON)
        open_account(store)


@pytest.fixture
def full(url: str) -> str:
    """A store with rows."""
    _fill(url)
    return url


@pytest.fixture
def archive(sqlite_url: str, tmp_path: Path) -> Path:
    """A backup of a store with rows."""
    _fill(sqlite_url)
    file = tmp_path / "store.backup"
    backup(_config(sqlite_url), file)
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of another empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/restored.sqlite"
    make: Callable[[], str] = request.getfixturevalue("new_postgresql_url")
    return make()


def test_the_example_has_rows_in_every_table(full: str) -> None:
    assert [name for name, rows in _content(full).items() if not rows] == [CLAIMS.name, WORKERS.name]


def test_a_restored_store_has_every_row(full: str, target: str, tmp_path: Path) -> None:
    file = tmp_path / "store.backup"
    written = backup(_config(full), file)
    assert restore(file, _config(target)) == written
    assert _content(target) == _content(full)
    assert written.rows == sum(map(len, _content(full).values()))


def test_a_restored_store_goes_on_counting(archive: Path, target: str) -> None:
    restore(archive, _config(target))
    with opened(target) as store:
        before = store.scores.history()
        newer = put_score(store, submission("after"))
        store.decisions.add(decision(Excuse()))
        assert store.scores.history() == (newer, *before)


def test_a_backup_holds_no_claims(sqlite_url: str, tmp_path: Path) -> None:
    with opened(sqlite_url) as store:
        put_score(store, submission())
        store.claims.claim("a", "left", 60)
    file = tmp_path / "store.backup"
    assert CLAIMS.name not in {table.name for table in backup(_config(sqlite_url), file).tables}
    restore(file, _config(f"sqlite:///{tmp_path}/restored.sqlite"))


def test_a_store_with_rows_is_not_overwritten(archive: Path, target: str) -> None:
    with opened(target) as store:
        put_score(store, submission())
    before = _content(target)
    with pytest.raises(UserError, match="not empty"):
        restore(archive, _config(target))
    assert _content(target) == before


def test_an_empty_store_may_be_restored_into(archive: Path, target: str, sqlite_url: str) -> None:
    with opened(target):
        pass
    restore(archive, _config(target))
    assert _content(target) == _content(sqlite_url)


def test_an_existing_file_is_not_overwritten(sqlite_url: str, archive: Path) -> None:
    before = archive.read_bytes()
    with pytest.raises(UserError, match="exists already"):
        backup(_config(sqlite_url), archive)
    assert archive.read_bytes() == before


def test_an_empty_store_has_no_backup(sqlite_url: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is empty"):
        backup(_config(sqlite_url), tmp_path / "store.backup")
    assert [path.name for path in tmp_path.iterdir()] == [".grader"]


def test_a_file_that_cannot_be_written_is_one_line(sqlite_url: str, tmp_path: Path) -> None:
    with opened(sqlite_url) as store:
        put_score(store, submission())
    with pytest.raises(UserError, match=r"store\.backup cannot be used"):
        backup(_config(sqlite_url), tmp_path / "missing" / "store.backup")


def _rewritten(archive: Path, changed: Callable[[str, bytes], bytes | None]) -> None:
    """Write the backup again with each part as ``changed`` returns it, or without it."""
    with zipfile.ZipFile(archive) as source:
        parts = {name: changed(name, source.read(name)) for name in source.namelist()}
    with zipfile.ZipFile(archive, "w") as target:
        for name, data in parts.items():
            if data is not None:
                target.writestr(name, data)


def _without_last_row(name: str, data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-1]) if name == "scores.jsonl" else data


def _changed_score(name: str, data: bytes) -> bytes:
    return data.replace(b"70.5", b"99.5") if name == "scores.jsonl" else data


def _no_json(name: str, data: bytes) -> bytes:
    return b"{\n" if name == "decisions.jsonl" else data


def _without_reports(name: str, data: bytes) -> bytes | None:
    return None if name == "reports.jsonl" else data


def _with_an_unknown_table(name: str, data: bytes) -> bytes:
    return data.replace(b'"reports"', b'"grades"') if name == "manifest.json" else data


def _with_another_format(name: str, data: bytes) -> bytes:
    return data.replace(b'"format": 1', b'"format": 9') if name == "manifest.json" else data


@pytest.mark.parametrize(
    "change",
    [
        _without_last_row,
        _changed_score,
        _no_json,
        _without_reports,
        _with_an_unknown_table,
        _with_another_format,
    ],
)
def test_a_changed_backup_is_refused_and_nothing_is_stored(
    archive: Path, target: str, change: Callable[[str, bytes], bytes | None]
) -> None:
    with opened(target):
        pass
    _rewritten(archive, change)
    with pytest.raises(UserError, match=r"store\.backup cannot be restored") as caught:
        restore(archive, _config(target))
    assert "\n" not in str(caught.value)
    assert not any(_content(target).values())


@pytest.mark.parametrize("length", [0, 100, -200])
def test_a_cut_backup_is_refused(archive: Path, tmp_path: Path, length: int) -> None:
    archive.write_bytes(archive.read_bytes()[:length])
    with pytest.raises(UserError, match="cannot be restored"):
        restore(archive, _config(f"sqlite:///{tmp_path}/restored.sqlite"))


def test_a_backup_of_a_newer_grader_is_refused(archive: Path, tmp_path: Path) -> None:
    def newer(name: str, data: bytes) -> bytes:
        if name != "manifest.json":
            return data
        return json.dumps(json.loads(data) | {"schema": str(int(SCHEMA) + 1)}).encode()

    _rewritten(archive, newer)
    with pytest.raises(UserError, match=f"schema {int(SCHEMA) + 1}; this grader reads schema {SCHEMA}"):
        restore(archive, _config(f"sqlite:///{tmp_path}/restored.sqlite"))


def test_a_missing_backup_is_one_line(sqlite_url: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be used: No such file"):
        restore(tmp_path / "none.backup", _config(sqlite_url))
