"""The same kernel on the same inputs gives the same report, byte for byte, in every process."""

import os
import subprocess
import sys

import pytest

from tests.engines.emulator.replay import SCENES
from tools.paths import CHECKOUT
from tools.shared_results import FOLDER_VARIABLE


@pytest.mark.parametrize("scene", SCENES)
def test_a_report_is_the_same_in_every_process(scene: str) -> None:
    """Processes differ in the order of sets of strings and in the addresses of arrays."""
    first, *others = (_report(scene, seed) for seed in ("0", "1", "4242"))
    assert len(first) > 200
    assert others == [first, first]


def _report(scene: str, hash_seed: str) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "tests.engines.emulator.replay", scene],
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, FOLDER_VARIABLE: ""},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
