"""How long a start and an unending kernel take by the clock, on a quiet machine."""

import subprocess
import sys
import time

import numpy as np
import pytest

from grader.engines.emulator.warm_up import warm_up
from grader.model.run import RunOptions
from grader.model.verdict import Verdict
from tools.emulator.compiling import Out, run_cuda

_LIMIT = 0.3
_LATE_SECONDS = 1.2
"""A kernel may run this much longer than its limit."""

_START_SECONDS = 2.5
_START = "from grader.engines.emulator.warm_up import warm_up; warm_up()"

_ENDLESS = """
extern "C" __global__ void k(int* out) { for (;;) ((volatile int*)out)[0] = 1; }
"""


@pytest.mark.parametrize("diagnostics", [False, True])
def test_a_run_ends_within_a_second_of_its_limit(*, diagnostics: bool) -> None:
    warm_up()
    options = RunOptions(timeout=_LIMIT, max_steps=10**12, diagnostics=diagnostics)
    started = time.perf_counter()
    ran = run_cuda(_ENDLESS, 4, 64, {"out": Out((1,), np.int32)}, options=options)
    assert time.perf_counter() - started < _LIMIT + _LATE_SECONDS
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.TIMED_OUT


def test_a_warm_emulator_starts_in_about_a_second() -> None:
    warm_up()
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", _START], check=True)
    assert time.perf_counter() - started < _START_SECONDS
