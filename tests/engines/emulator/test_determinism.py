"""The same kernel on the same inputs gives the same report, byte for byte, in whatever process it runs."""

import os
import subprocess
import sys

import pytest

from tests.engines.emulator.replay import SCENES
from tools.paths import CHECKOUT
from tools.shared_results import FOLDER_VARIABLE


@pytest.mark.parametrize("scene", SCENES)
def test_a_report_is_the_same_in_every_process(scene: str) -> None:
    """With another order of every set and dictionary of strings, and other addresses of every array."""
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
