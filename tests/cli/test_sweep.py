"""``grader sweep`` from the command line, on the emulator."""

import json
from pathlib import Path

import pytest

from grader.cli.app import run
from tools.paths import CHECKOUT

MATMUL = CHECKOUT / "reference" / "matmul"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


def test_a_rung_is_known_by_its_place_and_written_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    typed = ["sweep", str(MATMUL / "shared.cu"), "--over", "TILE", "--values", "16,64"]
    assert run([*typed, "--engine", "emulator", "--json", "s.json", "--html", "s.html"]) == 0
    shown = capsys.readouterr()
    assert "the block 64x64x1 has 4,096 threads" in shown.out
    assert "fastest at TILE = 16" in shown.out
    assert "modelled times" in shown.out
    (document,) = json.loads(Path("s.json").read_bytes())["sweeps"]
    assert [row["value"] for row in document["rows"]] == [16, 64]
    assert document["lab"] == "matmul"
    assert "Time of matmul against TILE" in Path("s.html").read_text("utf-8")


def test_a_sweep_in_which_nothing_could_be_timed_is_not_well(capsys: pytest.CaptureFixture[str]) -> None:
    typed = ["sweep", str(MATMUL / "shared.py"), "--over", "TILE", "--values", "64", "--engine", "emulator"]
    assert run(typed) == 1
    assert "4,096 threads" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--over", "BREADTH"], "does not declare which values BREADTH should take"),
        (
            ["--over", "BREADTH", "--values", "1"],
            "does not define BREADTH, and no size of matmul is called so",
        ),
        (["--over", "TILE", "--values", "1,two"], "list of whole numbers"),
        (["--over", "TILE", "--values=-1,2"], "has a number below 0"),
        (["--over", "TILE", "--values", "8", "--kernel", "matmull"], "has no kernel matmull"),
        (["--shows", "joules"], "'joules' is not one of"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_gets_one_line(more: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sweep", str(MATMUL / "shared.cu"), "--engine", "emulator", *more]) == 2
    shown = capsys.readouterr().err.strip()
    assert message in shown
    assert "\n" not in shown


def test_a_lab_without_a_sweep_asks_for_kernel_and_macro(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rung = str(CHECKOUT / "reference" / "row-sum" / "global.cu")
    assert run(["sweep", rung]) == 2
    assert "Lab row-sum does not declare what to vary." in capsys.readouterr().err
    assert run(["sweep", rung, "--over", "cols", "--values", "100"]) == 2
    assert "Name one with --kernel: row_sum_global" in capsys.readouterr().err


def test_a_file_gets_the_declared_sweep_of_its_macros(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("mine.cu").write_bytes((MATMUL / "register_tile.cu").read_bytes())
    assert run(["sweep", "mine.cu", "--lab", "matmul", "--values", "2,4", "--engine", "emulator"]) == 0
    assert "fastest at PATCH = 4" in capsys.readouterr().out
