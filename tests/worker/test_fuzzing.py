"""Mutated replies never become a result that Grader accepts: see ``fuzzing``."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.paths import CHECKOUT

SECONDS = int(float(os.environ.get("GRADER_FUZZ_SECONDS", "5")))

pytest.importorskip("atheris", reason="atheris is not made for this Python or this machine")


@pytest.mark.parametrize("seconds", [2, pytest.param(SECONDS, marks=pytest.mark.fuzz)])
def test_mutated_replies_are_refused(seconds: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.worker.fuzzing", str(seconds), "20261123", str(tmp_path)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    runs = re.search(r"Done (\d+) runs", done.stderr)
    assert runs is not None
    assert int(runs[1]) > 0


def test_a_reply_that_breaks_the_grader_is_found(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(
        "from tests.worker import fuzzing\n"
        "def trusting(translation, request):\n    return translation\n"
        "fuzzing.sanitize = trusting\n"
        "fuzzing.main()\n"
    )
    (tmp_path / "corpus").mkdir()
    command = [sys.executable, str(broken), "30", "1", str(tmp_path / "corpus")]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "AssertionError" in done.stdout + done.stderr
