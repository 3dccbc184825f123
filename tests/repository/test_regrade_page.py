"""The page "A regrade", played from its first command to its last."""

import re
import shlex
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.config import load
from grader.store.sql_store import open_store
from tests.course.regrade_course import set_up, write_config
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "teaching-assistant" / "regrade.md"


def commands() -> list[list[str]]:
    """The commands of the page, about a lab that is graded in a moment."""
    lines = re.findall(r"^\$ (grader .*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    return [shlex.split(line.replace("row-sum", "scale"))[1:] for line in lines]


def test_the_page_s_commands_lead_to_the_new_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    set_up(tmp_path, "")
    (correctness,) = re.findall(r"^correctness = (\d+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    write_config("", int(correctness))
    played = commands()
    assert {command[1] for command in played if command[0] == "regrade" and len(command) > 1} == {
        "new",
        "run",
        "preview",
        "apply",
        "discard",
    }
    for command in played:
        assert run(command) == 0, command
    store = open_store(load(tmp_path))
    try:
        points = {score.key.student: score.score for score in store.scores.latest_all()}
        kinds = [type(each.ruling).__name__ for each in store.decisions.list()]
    finally:
        store.close()
    assert points == {"ada": 80, "bob": 0, "cyd": 80}
    assert kinds == [*["RegradeOutcome"] * 3, "RegradeRequest", "RegradeAnswer"]
