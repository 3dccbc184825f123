"""A sweep on a real GPU has measured times, is right at the same values, and has the bytes that the emulator counts."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.gpu.commands import grader
from tools.paths import CHECKOUT

pytestmark = [pytest.mark.gpu, pytest.mark.alone]

VALUES = ["4", "8", "16", "32", "64"]


def swept(path: Path, folder: Path, *more: str) -> Any:
    """Return the file that ``grader sweep`` writes."""
    grader(folder, "sweep", str(path), "--engine", "cuda", "--json", "sweep.json", *more)
    (sweep,) = json.loads((folder / "sweep.json").read_bytes())["sweeps"]
    return sweep


@pytest.mark.parametrize("suffix", [".cu", ".py"])
def test_a_macro_is_swept_and_too_large_a_block_is_said(suffix: str, tmp_path: Path) -> None:
    rung = CHECKOUT / "reference" / "matmul" / f"shared{suffix}"
    sweep = swept(rung, tmp_path, "--over", "TILE", "--values", ",".join(VALUES))
    assert (sweep["kind"], sweep["engine"]["kind"]) == ("measured", "cuda")
    *right, too_large = sweep["rows"]
    assert [row["verdict"] for row in right] == ["accepted"] * 4
    assert all(row["seconds"] > 0 and row["speedup"] > 0 for row in right)
    assert (too_large["verdict"], too_large["seconds"]) == ("crashed", None)


def test_useful_bytes_are_those_of_both_matrices(tmp_path: Path) -> None:
    rung = CHECKOUT / "reference" / "transpose" / "global.cu"
    sweep = swept(rung, tmp_path, "--over", "cols", "--values", "2048,8192", "--shows", "bandwidth")
    rows = sweep["sizes"]["rows"]
    for row in sweep["rows"]:
        assert row["useful_bytes"] == pytest.approx(2 * 4 * rows * row["value"], rel=0.05)
