"""The shadow records accesses of several threads to the same memory, at a limited cost."""

import numpy as np
import pytest

from grader.model.diagnostic import DiagnosticKind
from tools.emulator.compiling import Argument, InOut, Out, Scratch, line_of, run_cuda
from tools.emulator.footprint import peak_megabytes

X = np.arange(256, dtype=np.float32)
RACES = (DiagnosticKind.GLOBAL_RACE, DiagnosticKind.SHARED_RACE, DiagnosticKind.LANE_HAZARD)
IN_PLACE = """
extern "C" __global__ void k(volatile float* x, const float* y, float* out) {
    int t = threadIdx.x;
    BODY
}
"""


def races(body: str, *, blocks: int = 1, threads: int = 64) -> set[int | None]:
    """The lines of the races that the emulator finds in ``body``."""
    source = IN_PLACE.replace("BODY", body)
    ran = run_cuda(source, blocks, threads, {"x": InOut(X), "y": X, "out": Out((256,))})
    assert {d.line for d in ran.found(DiagnosticKind.UNINITIALISED)} == set()
    return {line - line_of(source, "int t") for line in ran.lines(*RACES) if line is not None}


@pytest.mark.parametrize(
    "reads",
    ["x[t] + x[(t + 40) % 64]", "x[(t + 40) % 64] + x[t]", "x[t] + x[(t + 40) % 64] + x[t]"],
    ids=["own first", "own last", "own twice"],
)
def test_a_writer_that_also_reads_races_with_another_reader(reads: str) -> None:
    assert races(f"float v = {reads};\n x[t] = v;") == {2}
    assert races(f"float v = {reads};\n __syncthreads();\n x[t] = v;") == set()


def test_a_read_after_a_barrier_races_with_a_write_without_one() -> None:
    body = "x[t] = 1;\n __syncthreads();\n float v = x[(t + 40) % 64];\n x[t] = v;"
    assert races(body) == {4}
    assert races(body.replace("x[t] = v", "out[t] = v")) == set()


def test_a_word_written_and_read_races_with_another_block() -> None:
    body = "if (blockIdx.x == 0) x[t] = 2;\n __syncthreads();\n out[blockIdx.x * 64 + t] = x[t];"
    assert races(body, blocks=2) == {3}


def test_a_read_stays_known_when_the_word_is_written_after_it() -> None:
    body = (
        "if (blockIdx.x == 0) out[t] = x[t];\n else if (blockIdx.x == 1) x[t] = y[t];\n else x[t] = y[t] + 1;"
    )
    assert races(body, blocks=3) >= {2, 3}


def test_memory_written_by_an_earlier_launch_is_initialised() -> None:
    source = """
extern "C" __global__ void k(const float* x, float* s, float* out, int* round) {
    int t = threadIdx.x;
    if (*round == 0) s[t] = x[t];
    else out[t] = s[t] + s[63 - t];
    __syncthreads();
    if (t == 0) *round += 1;
}
"""
    arguments: dict[str, Argument] = {
        "x": X,
        "s": Scratch((64,)),
        "out": InOut(X[:64]),
        "round": InOut(np.zeros(1, np.int32)),
    }
    ran = run_cuda(source, 1, 64, arguments, times=4)
    assert ran.fault is None
    assert ran.result.diagnostics == ()
    assert np.array_equal(ran["out"], X[:64] + X[63::-1])


def test_diagnostics_take_three_times_the_buffers_and_a_base() -> None:
    assert peak_megabytes(384) < 3 * 384 + 300
