"""``--log-level`` and ``--log-format``: what stands on standard error beside the command's own words."""

import json
import subprocess
import sys

import pytest

from grader import logs
from grader.cli.app import run
from grader.logs import Event, Level, LogFormat


@pytest.fixture(autouse=True)
def _reset_log() -> None:
    logs.configure()


def test_nothing_is_logged_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["labs"]) == 0
    assert capsys.readouterr().err == ""


def test_every_json_line_parses_and_belongs_to_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--log-level", "info", "--log-format", "json", "labs"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in lines] == ["command_started", "command_finished"]
    assert (lines[0]["command"], lines[1]["code"]) == ("labs", 0)
    assert len({line["run"] for line in lines}) == 1


def test_the_options_can_be_variables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_LOG_LEVEL", "info")
    assert run(["labs"]) == 0
    assert "event='command_started'" in capsys.readouterr().err


def test_two_runs_have_different_ids(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        run(["--log-level", "info", "--log-format", "json", "labs"])
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert len({line["run"] for line in lines}) == 2


def test_a_long_line_is_not_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    run(["--log-level", "info", "--log-format", "json", "labs"])
    capsys.readouterr()
    logs.log(Event.COMMAND_FAILED, error="no room " * 30)
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_quiet_command_does_not_load_the_log() -> None:
    code = "import sys; from grader.cli.app import run; run(['labs']);sys.exit('structlog' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], check=False, stdout=subprocess.DEVNULL).returncode == 0
    )


def test_levels_and_formats_are_words() -> None:
    assert [*Level] == ["debug", "info", "warning", "error"]
    assert [*LogFormat] == ["text", "json"]
