"""Numba kernels with one mistake in the order of their accesses, and their neighbours without it."""

# ruff: noqa: ANN001, ANN201, ARG001 - kernels get types and buffers from the arguments they are compiled for
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from collections.abc import Callable

import numpy as np
import pytest
from numba import cuda, int8, int32

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from tools.emulator.compiling import InOut, run_numba
from tools.messages import codes

ORDER = (
    DiagnosticKind.SHARED_RACE,
    DiagnosticKind.GLOBAL_RACE,
    DiagnosticKind.LANE_HAZARD,
    DiagnosticKind.INACTIVE_LANE,
)
ALL = 0xFFFFFFFF


def counter_without_a_barrier(x, out, work):
    counter = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        counter[0] = 0
    cuda.atomic.add(counter, 0, 1)
    cuda.syncthreads()
    out[cuda.grid(1)] = counter[0]


def counter_behind_a_barrier(x, out, work):
    counter = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        counter[0] = 0
    cuda.syncthreads()
    cuda.atomic.add(counter, 0, 1)
    cuda.syncthreads()
    out[cuda.grid(1)] = counter[0]


def last_block_without_a_barrier(x, out, work):
    last = cuda.shared.array(1, int32)
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    if t == 40:
        work[8 + b] = x[b]
    cuda.threadfence()
    if t == 0:
        last[0] = cuda.atomic.add(work, 0, 1) == cuda.gridDim.x - 1
    cuda.syncthreads()
    if last[0] and t == 0:
        out[0] = work[8] + work[9]


def last_block_with_one(x, out, work):
    last = cuda.shared.array(1, int32)
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    if t == 40:
        work[8 + b] = x[b]
    cuda.threadfence()
    cuda.syncthreads()
    if t == 0:
        last[0] = cuda.atomic.add(work, 0, 1) == cuda.gridDim.x - 1
    cuda.syncthreads()
    if last[0] and t == 0:
        out[0] = work[8] + work[9]


def last_block_with_a_fence_of_the_block(x, out, work):
    last = cuda.shared.array(1, int32)
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    if t == 0:
        work[8 + b] = x[b]
        cuda.threadfence_block()
        last[0] = cuda.atomic.add(work, 0, 1) == cuda.gridDim.x - 1
    cuda.syncthreads()
    if last[0] and t == 0:
        out[0] = work[8] + work[9]


def one_element_of_all_lanes(x, out, work):
    if cuda.blockIdx.x == 0 and cuda.threadIdx.x < 32:
        out[0] += 1


def own_elements(x, out, work):
    out[cuda.grid(1)] += 1


def bytes_without_a_barrier(x, out, work):
    row = cuda.shared.array(64, int8)
    t = cuda.threadIdx.x
    row[t] = x[t]
    out[cuda.grid(1)] = row[63 - t]


def bytes_behind_a_barrier(x, out, work):
    row = cuda.shared.array(64, int8)
    t = cuda.threadIdx.x
    row[t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = row[63 - t]


def barrier_of_half_a_warp(x, out, work):
    row = cuda.shared.array(32, int32)
    t = cuda.threadIdx.x
    if t < 32:
        row[t] = x[t]
        if t < 16:
            cuda.syncwarp(0xFFFF)
        out[cuda.blockIdx.x * 32 + t] = row[31 - t]


def barrier_of_a_whole_warp(x, out, work):
    row = cuda.shared.array(32, int32)
    t = cuda.threadIdx.x
    if t < 32:
        row[t] = x[t]
        cuda.syncwarp()
        out[cuda.blockIdx.x * 32 + t] = row[31 - t]


def shuffle_in_a_branch(x, out, work):
    i = cuda.grid(1)
    if i < 100:
        value = x[i]
        value += cuda.shfl_down_sync(ALL, value, 16)
        value += cuda.shfl_down_sync(ALL, value, 8)
        if i % 32 == 0:
            out[i] = value


def shuffle_of_all_lanes(x, out, work):
    i = cuda.grid(1)
    value = x[i] if i < 100 else 0
    value += cuda.shfl_down_sync(ALL, value, 16)
    value += cuda.shfl_down_sync(ALL, value, 8)
    if i % 32 == 0:
        out[i] = value


RACY = {
    counter_without_a_barrier: "missing-barrier",
    last_block_without_a_barrier: "unreleased-blocks",
    last_block_with_a_fence_of_the_block: "fence-of-block",
    one_element_of_all_lanes: "lost-update",
    bytes_without_a_barrier: "missing-barrier",
    barrier_of_half_a_warp: "lane-hazard",
    shuffle_in_a_branch: "shuffle-from-exited-lane",
}
CLEAN = [
    counter_behind_a_barrier,
    last_block_with_one,
    own_elements,
    bytes_behind_a_barrier,
    barrier_of_a_whole_warp,
    shuffle_of_all_lanes,
]


def found(kernel: Callable[..., None]) -> list[Diagnostic]:
    words = np.zeros(256, np.int32)
    ran = run_numba(
        kernel, 2, 64, {"x": np.arange(256, dtype=np.int32), "out": InOut(words), "work": InOut(words)}
    )
    assert ran.fault is None
    return [each for each in ran.found(*ORDER) if each.severity is not Severity.NOTE]


@pytest.mark.parametrize("kernel", RACY, ids=lambda kernel: kernel.__name__)
def test_a_mistake_is_found(kernel: Callable[..., None]) -> None:
    said = {code for each in found(kernel) for code in codes(each.message)}
    assert RACY[kernel] in said


@pytest.mark.parametrize("kernel", CLEAN, ids=lambda kernel: kernel.__name__)
def test_its_correct_neighbour_gives_no_finding(kernel: Callable[..., None]) -> None:
    assert found(kernel) == []
