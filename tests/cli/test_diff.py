"""``grader diff``: two results files, or one and the store."""

from pathlib import Path

import pytest

from grader.cli.app import run

FILE = Path("class", "transpose", "ada.cu")


@pytest.fixture(autouse=True)
def _graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    FILE.parent.mkdir(parents=True)
    FILE.write_text("no C at all", encoding="utf-8")
    trusted = ["--engine", "emulator", "--trust-submissions"]
    assert run(["grade", "class", *trusted, "--json", "before.json"]) == 0
    assert run(["override", "ada", "transpose", "--points", "12", "--because", "fair"]) == 0
    capsys.readouterr()


def test_the_store_is_compared_with_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "before.json"]) == 0
    shown = capsys.readouterr().out
    assert " 0 → 12 " in shown
    assert "1 up" in shown


def test_equal_gradings_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "before.json", "before.json"]) == 0
    assert "agree" in capsys.readouterr().out


@pytest.mark.parametrize("file", ["nowhere.json", "class/transpose/ada.cu"])
def test_no_results_file_is_one_line(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "before.json", file]) == 2
    shown = capsys.readouterr().err.strip()
    assert file in shown
    assert "\n" not in shown
