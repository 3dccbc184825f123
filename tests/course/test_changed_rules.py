"""Staff see what other points or rules would do to the class before they store them."""

import shutil
from pathlib import Path

import pytest

from grader.config import load
from grader.config.overlay_text import overlay_in, overlay_lines, with_overlay
from grader.course.edit_rules import change_rules, rules_effect, rules_text
from grader.course.lab_points import change_points, points_effect, points_text
from grader.course.records import Records
from grader.course.workspace import Workspace, open_workspace
from grader.errors import UserError
from grader.store.values import EventKind
from tests.course import regrade_course

LESS = "[labs.scale.rubric]\ncorrectness = 40\n"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a course of three students, ada, bob and cyd, of whom bob's work is wrong."""
    folder = tmp_path_factory.mktemp("graded")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        regrade_course.set_up(folder, "")
    return folder


@pytest.fixture
def workspace(graded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return open_workspace()


def points(workspace: Workspace) -> dict[str, float]:
    with Records(workspace) as records:
        return {score.key.student: score.score for score in records.latest_scores()}


def test_the_effect_of_other_points_is_shown_and_not_stored(workspace: Workspace) -> None:
    before = points(workspace)
    found = points_effect(workspace, "scale", LESS)
    assert (len(found.changes), found.down, found.up, found.unchanged, found.again) == (3, 2, 0, 0, 0)
    assert found.mean < 0
    assert points(workspace) == before
    assert points_text(workspace, "scale") == ""


def test_other_points_are_written_and_the_lab_scored_by_them(workspace: Workspace) -> None:
    change_points(workspace, "scale", LESS)
    assert points(workspace) == {"ada": 60, "bob": 0, "cyd": 60}
    assert points_text(open_workspace(), "scale") == LESS
    change_points(open_workspace(), "scale", "")
    assert points(workspace)["ada"] == 100
    assert points_text(open_workspace(), "scale") == ""


@pytest.mark.parametrize(
    "lines",
    [
        "[labs.scale.rubric]\ncorrectness = -1\n",
        "[labs.scale.rubric]\ncorectness = 1\n",
        "[labs.other.rubric]\ncorrectness = 1\n",
        "[sandbox]\nkind = 'none'\n",
        "labs = 5\n",
        "[labs.scale\n",
    ],
)
def test_a_mistake_in_points_is_refused_and_nothing_written(workspace: Workspace, lines: str) -> None:
    before = Path("grader.toml").read_bytes()
    with pytest.raises(UserError):
        change_points(workspace, "scale", lines)
    assert Path("grader.toml").read_bytes() == before


def test_lines_of_other_labs_and_settings_stay() -> None:
    before = "[labs]\nfolders = ['x']\n# kept\n[labs.a.rubric]\ncorrectness = 1\n"
    text = f"{before}[labs.ab]\ntitle = 'T'\n[jobs]\ncount = 2\n"
    assert overlay_lines(text, "a") == "[labs.a.rubric]\ncorrectness = 1\n"
    made = with_overlay(text, "a", "[labs.a.rubric]\ncorrectness = 9\n")
    assert [line for line in text.splitlines() if "1" not in line and "a.r" not in line] == [
        line for line in made.splitlines() if line and "9" not in line and "a.r" not in line
    ]
    assert overlay_lines(made, "a") == "[labs.a.rubric]\ncorrectness = 9\n"
    assert overlay_in(made.split("[jobs]")[1].split("\n", 2)[2], "a").content == {
        "rubric": {"correctness": 9}
    }


def test_a_table_that_is_written_inline_is_refused() -> None:
    with pytest.raises(UserError):
        with_overlay("labs = { a = { title = 'T' } }\n", "a", "[labs.a]\ntitle = 'U'\n")


def test_the_effect_of_other_rules_is_shown_and_not_stored(workspace: Workspace) -> None:
    found = rules_effect(workspace, "[labs.scale]\npoints = 10\n")
    assert {(each.student, each.before.points, each.after.points) for each in found.changes} == {
        ("ada", 100, 10),
        ("bob", 0, 0),
        ("cyd", 100, 10),
    }
    assert rules_text(workspace).text == ""
    assert rules_effect(workspace, "[labs.scale]\npoints = 'x'\n[labs.nothing]\n").mistakes[1:]
    with pytest.raises(UserError):
        rules_effect(workspace, "[labs.scale\n")


def test_rules_are_written_unless_somebody_else_wrote_them(workspace: Workspace) -> None:
    seen = rules_text(workspace)
    change_rules(workspace, "[labs.scale]\npoints = 10\n", seen=seen.digest, who="keller")
    assert rules_text(workspace).text == "[labs.scale]\npoints = 10\n"
    with Records(workspace) as records:
        event = records.store.events.list(limit=1)[0]
    assert (event.kind, event.who) == (EventKind.CONFIGURED, "keller")
    with pytest.raises(UserError, match="Another person"):
        change_rules(workspace, "", seen=seen.digest, who="rao")
    with pytest.raises(UserError):
        change_rules(workspace, "[labs.x]\n", seen=rules_text(workspace).digest, who="rao")


def test_grader_toml_that_was_changed_is_read_again(workspace: Workspace) -> None:
    change_points(workspace, "scale", LESS)
    assert load().overlays.keys() == {"scale"}
