"""Under Slurm and on a second host nothing is lost or doubled, whatever is killed. ``benchmarks.chaos`` kills more."""

import os
from pathlib import Path

import pytest

from tools.chaos import chaos

SLURM = "GRADER_TEST_SLURM"
"""The variable with the path of a Slurm configuration; CI sets it, and without it this test is skipped."""


def test_no_result_is_lost_or_doubled_when_processes_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = os.environ.get(SLURM)
    if configuration is None:
        pytest.skip(f"{SLURM} names no Slurm cluster")
    monkeypatch.setenv("SLURM_CONF", configuration)
    result = chaos(tmp_path, jobs=24, kills=3, seed=2, deadline_seconds=300)
    assert result.is_right, result
    assert set(result.kills) == {"worker", "pool", "server"}
    assert result.attempts > 0
    assert result.by_far_host > 0
