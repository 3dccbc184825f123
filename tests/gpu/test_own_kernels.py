"""The kernels of the emulator's own tests give the same answers on a real GPU."""

import subprocess
import sys

import pytest

from tests.gpu.commands import environment
from tools.paths import CHECKOUT

pytestmark = pytest.mark.gpu

FILES = ["test_kernels.py", "test_numba_kernels.py", "test_calls.py"]


@pytest.mark.parametrize("file", FILES)
def test_the_emulators_test_kernels_agree_with_a_gpu(file: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-c", "tests/gpu/pytest.ini", "--rootdir", "."]
    done = subprocess.run(
        [*command, "-p", "tests.gpu.both_engines", f"tests/engines/emulator/{file}"],
        cwd=CHECKOUT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    different = [line for line in done.stdout.splitlines() if line.startswith("DIFFERENT ")]
    assert different == []
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert " launches compared" in done.stdout
