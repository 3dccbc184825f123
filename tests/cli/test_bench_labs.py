"""``grader bench-labs`` from the command line, on the emulator."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import run


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ladder") / "0001_ladder.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path.parent)
        assert run(["bench-labs", "copy-stride", "--engine", "emulator", "--json", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def benchmarks(written: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(written.read_bytes())["benchmarks"]
    return found


def test_every_rung_has_its_kernels_in_both_languages(benchmarks: list[dict[str, Any]]) -> None:
    named = {
        (each["params"]["rung"], each["params"]["kernel"], each["params"]["language"]) for each in benchmarks
    }
    both = [("global", "copy_offset"), ("global", "copy_stride"), ("staged", "copy_offset")]
    both += [("expert", "copy_offset"), ("expert", "copy_stride")]
    assert named == {(*each, language) for each in both for language in ("cuda-c", "numba")}


def test_the_speedup_is_the_ratio_of_times_marked_as_modelled(
    benchmarks: list[dict[str, Any]],
) -> None:
    times = {each["fullname"]: each["stats"]["median"] for each in benchmarks}
    expert = next(each for each in benchmarks if each["fullname"].endswith("cuda-c::expert[copy_offset]"))
    over = {each["baseline"]: each for each in expert["extra_info"]["speedups"]}
    ratio = times["copy-stride/medium/cuda-c::global[copy_offset]"] / expert["stats"]["median"]
    assert over["global"]["value"] == pytest.approx(ratio)
    assert over["global"]["kind"] == "modelled"
    assert over["expert"]["value"] == pytest.approx(1)
    assert 0.5 < expert["extra_info"]["share_of_roofline"] < 1


def test_pytest_benchmark_compares_what_is_written(written: Path) -> None:
    compared = subprocess.run(
        [sys.executable, "-m", "pytest_benchmark", "compare", str(written), "--columns=median,rounds"],
        capture_output=True,
        text=True,
        check=True,
        cwd=written.parent,
    ).stdout
    assert "benchmark 'copy-stride medium numba': 5 tests" in compared
    assert "staged[copy_offset]" in compared


def test_a_lab_that_is_not_there_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench-labs", "copy-strike", "--engine", "emulator"]) == 2
    message = capsys.readouterr().err.strip()
    assert "copy-strike" in message
    assert "\n" not in message


def test_a_stored_calibration_is_shown_without_timing_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    stored, shown = tmp_path / "calibration.json", tmp_path / "shown.json"
    assert run(["calibrate", "copy-stride", "--engine", "emulator", "--json", str(stored)]) == 0
    capsys.readouterr()
    monkeypatch.setattr("grader.cli.bench_labs.timed", None)
    show = ["bench-labs", "--calibration", str(stored)]
    assert run([*show, "copy-stride", "--json", str(shown), "--html", "page.html"]) == 0
    rows = json.loads(stored.read_bytes())["ladders"][0]["rows"]
    assert [each["stats"]["data"] for each in json.loads(shown.read_bytes())["benchmarks"]] == [
        row["seconds"] for row in rows
    ]
    assert "copy-stride 1.0" in capsys.readouterr().out
    assert "expert" in Path("page.html").read_text(encoding="utf-8")

    for wrong, message in (
        (["row-sum"], "no lab called row-sum"),
        (["--jobs", "2"], "Leave out --engine"),
    ):
        assert run([*show, *wrong]) == 2
        complaint = capsys.readouterr().err.strip()
        assert message in complaint
        assert "\n" not in complaint
