"""Stale answers on the emulator, which clears all memory; see ``tests/gpu/test_stale_answers.py`` for a real GPU."""

from collections.abc import Iterator

import numpy as np
import pytest

from grader.engines.emulator.engine import EmulatorEngine
from grader.engines.port import Engine
from grader.model.devices import TESLA_T4
from grader.model.run import RunOptions
from grader.model.verdict import Verdict
from tests.integrity.stale import MEMORIES, StaleAnswers
from tools.emulator.compiling import Argument, Out, job_of, ptx_of

OPTIONS = RunOptions()


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    opened = EmulatorEngine(TESLA_T4)
    yield opened
    opened.close()


class TestOnTheEmulator(StaleAnswers):
    """The emulator allocates new memory for every run."""

    memories = frozenset(MEMORIES)


def test_a_seeker_that_finds_something_is_seen(engine: Engine) -> None:
    source = """extern "C" __global__ void seek(int *out) { out[0] = 7; if (out[0] == 7) asm("trap;"); }"""
    job = job_of(ptx_of(source), "seek", 1, 1, {"out": Out((1,), np.int32)})
    fault = engine.run(job, OPTIONS).fault
    assert fault is not None
    assert fault.verdict is Verdict.CRASHED


@pytest.mark.parametrize("distance", [1, 4096, 2**20, 2**30, 2**36])
@pytest.mark.parametrize("direction", [-1, 1])
def test_a_kernel_that_leaves_its_buffers_to_look_around_crashes(
    engine: Engine, distance: int, direction: int
) -> None:
    source = """
extern "C" __global__ void wander(int *out, long long by) { out[0] = out[by]; }
"""
    arguments: dict[str, Argument] = {"out": Out((1,), np.int32), "by": np.int64(direction * distance)}
    fault = engine.run(job_of(ptx_of(source), "wander", 1, 1, arguments), OPTIONS).fault
    assert fault is not None
    assert fault.verdict is Verdict.CRASHED
