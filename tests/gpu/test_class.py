"""A small class is graded on a real GPU from the command line, up to a leaderboard that passes verification."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from grader.engines.cuda.engine import CudaEngine
from grader.model.confidence import EARLY_CHECKPOINT
from tests.gpu.commands import grader
from tests.gpu.session_lock import GpuLock
from tools.paths import CHECKOUT

pytestmark = pytest.mark.gpu

EXPECTED = {"student-05": "wrong", "student-06": "accepted", "student-07": "accepted"}
"""Submissions to row-sum, two in CUDA C and one in Numba."""


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, alone: GpuLock) -> Path:
    folder = tmp_path_factory.mktemp("class")
    handed_in = folder / "submissions" / "row-sum"
    handed_in.mkdir(parents=True)
    for path in (CHECKOUT / "submissions" / "row-sum").iterdir():
        if path.stem in EXPECTED:
            shutil.copy(path, handed_in)
    with alone():
        grader(folder, "grade", "submissions", "--engine", "cuda", "--trust-submissions")
    return folder


def test_verdicts_are_those_of_the_table_and_times_are_measured(
    graded: Path, cuda_engine: CudaEngine
) -> None:
    document: dict[str, Any] = json.loads((graded / "results" / "results.json").read_bytes())
    assert document["engine"] == {"kind": "cuda", "device": cuda_engine.device.name}
    found = {each["student"]: each for each in document["reports"]}
    assert {student: each["verdict"] for student, each in found.items()} == EXPECTED
    for student in ("student-06", "student-07"):
        for kernel in found[student]["kernels"]:
            assert kernel["speedup"]["kind"] == "measured"
            assert all(len(timing["pairs"]) >= EARLY_CHECKPOINT for timing in kernel["timings"])


def test_a_board_names_its_device_and_is_reproducible(graded: Path, cuda_engine: CudaEngine) -> None:
    shown = grader(graded, "leaderboard", "--verify", "--json", "board.json")
    assert cuda_engine.device.name in " ".join(shown.split())  # the terminal may break a line inside the name
    boards = json.loads((graded / "board.json").read_bytes())["boards"]
    assert {board["language"] for board in boards} == {"cuda-c", "numba"}
    for board in boards:
        assert board["engine"] == {"kind": "cuda", "device": cuda_engine.device.name}
        assert [entry["rank"] for entry in board["entries"]] == [1]
