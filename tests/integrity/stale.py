"""Invariant 10 as a contract of engines: no job finds data that another job has computed.

``hide`` writes its answers to every memory that a kernel can write; ``seek`` searches one such memory, and traps if it
finds an answer.
"""

from typing import ClassVar

import numpy as np
import pytest

from grader.engines.port import Engine
from grader.model.run import LaunchJob, RunOptions
from tools.emulator.compiling import Argument, InOut, Out, Scratch, cubin_of, job_of, ptx_of

N = 256
GIVEN = 1000
OPTIONS = RunOptions()

HIDE = """
__device__ int kept[256];

extern "C" __global__ void hide(int *x, int *out, int *scratch, int n)
{
    extern __shared__ int tile[];
    volatile int own[64];
    int i = threadIdx.x;
    int answer = x[i] * 7 + 5;
    for (int k = 0; k < 64; k++) own[k] = answer;
    int *piece = (int *)malloc(64);
    for (int k = 0; k < 16; k++) piece[k] = answer;
    free(piece);
    tile[i] = kept[i] = x[i] = out[i] = scratch[i] = own[n % 64];
}
"""

MEMORIES = {
    "the output": "int seen = out[i];",
    "scratch": "int seen = scratch[i];",
    "a device variable": "int seen = kept[i];",
    "shared memory": "int seen = tile[i];",
    "local memory": "volatile int own[64]; int seen = own[given % 64];",
    "the heap": "int *piece = (int *)malloc(64); int seen = piece[5]; free(piece);",
}

SEEK = """
__device__ int kept[256];

extern "C" __global__ void seek(int *x, int *out, int *scratch, int given)
{
    extern __shared__ int tile[];
    int i = threadIdx.x;
    LOOK
    if (seen == given * 7 + 5) asm("trap;");
    out[i] = kept[i] = tile[i] = scratch[i] = x[i];
}
"""


def job_on(engine: Engine, source: str, kernel: str) -> LaunchJob:
    """Return a job that launches one block of ``kernel``, with a cubin for the engine's device."""
    arch = engine.device.arch
    arguments: dict[str, Argument] = {
        "x": InOut(np.full(N, GIVEN, np.int32)),
        "out": Out((N,), np.int32),
        "scratch": Scratch((N,), np.int32),
        "given": np.int32(GIVEN),
    }
    return job_of(
        ptx_of(source), kernel, 1, N, arguments, shared=4 * N, cubins={arch: cubin_of(source, arch)}
    )


class StaleAnswers:
    """Subclasses give the fixture ``engine``, and the ``memories`` that it keeps clean."""

    memories: ClassVar[frozenset[str]]

    @pytest.fixture(params=list(MEMORIES))
    def memory(self, request: pytest.FixtureRequest) -> str:
        """Return the memory to search."""
        if request.param not in self.memories:
            pytest.skip(f"{request.param} is not cleared on this engine")
        return str(request.param)

    def test_what_hides_its_answers_has_some(self, engine: Engine) -> None:
        job = job_on(engine, HIDE, "hide")
        answers = np.frombuffer(engine.run(job, OPTIONS).outputs["out"], np.int32)
        assert set(answers.tolist()) == {GIVEN * 7 + 5}

    def test_the_next_run_finds_none(self, engine: Engine, memory: str) -> None:
        hider, seeker = both(engine, memory)
        assert engine.run(hider, OPTIONS).fault is None
        assert engine.run(seeker, OPTIONS).fault is None

    def test_a_submission_finds_no_output_of_its_baseline(self, engine: Engine, memory: str) -> None:
        hider, seeker = both(engine, memory)
        assert engine.compare(hider, seeker, OPTIONS).fault is None


def both(engine: Engine, memory: str) -> tuple[LaunchJob, LaunchJob]:
    """Return a job that hides its answers and one that searches for them in ``memory``."""
    look = SEEK.replace("LOOK", MEMORIES[memory])
    return job_on(engine, HIDE, "hide"), job_on(engine, look, "seek")
