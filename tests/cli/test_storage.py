"""``grader backup`` and ``restore``, and the setting that removes old results."""

from pathlib import Path

import pytest

from grader.cli.app import run

FILE = Path("class", "transpose", "ada.cu")
GRADE = ["grade", "class", "--engine", "emulator", "--trust-submissions"]


@pytest.fixture(autouse=True)
def _graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    FILE.parent.mkdir(parents=True)
    FILE.write_text("no C at all", encoding="utf-8")
    assert run(GRADE) == 0


def configure(store: str) -> None:
    Path("grader.toml").write_text(f"[store]\n{store}\n", encoding="utf-8")


def test_a_backup_restores_what_show_shows(capsys: pytest.CaptureFixture[str]) -> None:
    run(["show", "ada", "transpose"])
    before = capsys.readouterr().out
    assert run(["backup", "all.backup"]) == 0
    assert "1 submission, 1 result and 0 decisions" in capsys.readouterr().err
    configure('url = "sqlite:///other.sqlite"')
    assert run(["restore", "all.backup"]) == 0
    assert "1 submission, 1 result and 0 decisions" in capsys.readouterr().err
    assert run(["show", "ada", "transpose"]) == 0
    assert capsys.readouterr().out == before


def test_a_store_in_use_is_not_restored_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["backup", "all.backup"]) == 0
    assert run(["restore", "all.backup"]) == 2
    assert "not empty" in capsys.readouterr().err


def test_old_results_are_removed_only_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    FILE.write_text("something else", encoding="utf-8")
    assert run(GRADE) == 0
    assert "[store] keep" not in capsys.readouterr().err
    configure("keep = 1")
    assert run(GRADE) == 0
    assert "1 older result was removed" in capsys.readouterr().err
    assert run(["show", "ada", "transpose"]) == 0
