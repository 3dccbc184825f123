"""The page "Late days", played from its first command to its last."""

import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.config import load
from grader.store.sql_store import open_store
from tests.repository.project import captioned_files
from tests.store.examples import attempt, fast_report, put_score, submission
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "teaching-assistant" / "late-days.md"


def steps() -> Iterator[tuple[list[str], str]]:
    """Each command of the page, and what the page says that it prints."""
    for block in re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        for part in block.split("$ grader ")[1:]:
            command, _, printed = part.partition("\n")
            yield shlex.split(command), printed.strip()


def submit_late(folder: Path) -> None:
    """Ada submits on 19 June at 20:00, as an import would record it, and is graded."""
    work = submission("0042")
    evening = datetime(2026, 6, 19, 18, tzinfo=UTC)
    store = open_store(load(folder))
    try:
        put_score(store, work, fast_report(work, score=80))
        store.attempts.put_all([attempt("0042", submission=work.digest, submitted_at=evening)])
    finally:
        store.close()


def test_the_page_s_commands_print_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("getpass.getuser", lambda: "Grace")
    compared = 0
    for command, printed in steps():
        if "2026-06-19 21:00" in command:
            submit_late(tmp_path)
        assert run(command) == 0, command
        if command[:2] == ["course", "new"]:
            for name, text in captioned_files(PAGE).items():
                Path(name).write_text(text, encoding="utf-8")
        shown = capsys.readouterr().out.strip()
        if printed:
            assert shown == printed
            compared += 1
    assert compared == 5
