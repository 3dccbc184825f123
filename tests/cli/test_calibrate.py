"""``grader calibrate`` from the command line, on the emulator."""

import json
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.errors import InfrastructureError
from grader.grading import ladder
from grader.grading.environment import GradingEnvironment
from grader.labs.lab import Lab
from grader.labs.manifest import SpeedRule
from grader.model.ladder import LadderReport


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


CALIBRATE = ["calibrate", "copy-stride", "--engine", "emulator"]


def test_a_calibration_is_judged_stored_and_compared_with(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(CALIBRATE) == 0
    shown = capsys.readouterr().out
    assert "modelled times" in shown
    assert "copy_offset over expert" in shown
    assert "trivial" in shown
    (stored,) = Path(".grader", "calibrations").iterdir()
    kept = json.loads(stored.read_bytes())
    assert kept["ladders"][0]["engine"] == {"kind": "emulator", "device": "Tesla T4"}
    assert {"grader_version", "grader_digest", "created_at", "driver", "commit"} <= set(kept["made"])
    assert len(kept["thresholds"]) == 8

    kept["ladders"][0]["rows"][-1]["speedups"][0] |= {"value": 2.0, "low": 1.9, "high": 2.1}
    Path("old.json").write_text(json.dumps(kept), encoding="utf-8")
    assert run([*CALIBRATE, "--against", "old.json"]) == 0
    moved = " ".join(capsys.readouterr().out.split())
    assert "copy_stride of expert (numba): 2.00× modelled before, 1.00× modelled now." in moved

    kept["ladders"][0]["engine"] = {"kind": "cuda", "device": "NVIDIA H200"}
    Path("other.json").write_text(json.dumps(kept), encoding="utf-8")
    assert run([*CALIBRATE, "--against", "other.json"]) == 2
    refused = capsys.readouterr().err.strip()
    assert "is of NVIDIA H200 (cuda engine), this is Tesla T4 (emulator engine)" in refused
    assert "\n" not in refused


def test_a_run_that_breaks_off_keeps_the_labs_that_were_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def time_ladder(lab: Lab, environment: GradingEnvironment, *, every_case: bool) -> LadderReport:
        if lab.name == "row-sum":
            msg = "the machine gave up"
            raise InfrastructureError(msg)
        return ladder.time_ladder(lab, environment, every_case=every_case)

    monkeypatch.setattr("grader.course.ladders.time_ladder", time_ladder)
    one_by_one = ["calibrate", "copy-stride", "row-sum", "--engine", "emulator", "--jobs", "1"]
    assert run([*one_by_one, "--json", "kept.json"]) == 1
    kept = json.loads(Path("kept.json").read_bytes())
    assert [each["lab"] for each in kept["ladders"]] == ["copy-stride"]
    assert len(kept["thresholds"]) == 8


def test_an_unreachable_threshold_sets_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(SpeedRule, "targets", property(lambda _: (50.0,)))
    assert run(CALIBRATE) == 1
    assert "unreachable" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"), [(None, "No such file"), ("{}", "is not a calibration"), ("[", "is not")]
)
def test_a_file_that_is_no_calibration_gets_one_line(
    text: str | None, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        Path("old.json").write_text(text, encoding="utf-8")
    assert run([*CALIBRATE, "--against", "old.json"]) == 2
    shown = capsys.readouterr().err.strip()
    assert message in shown
    assert "\n" not in shown
