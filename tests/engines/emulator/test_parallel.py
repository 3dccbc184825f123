"""The same seed gives the same report, byte for byte, for any number of cores."""

import threading

import numpy as np
import pytest

from grader.engines.emulator.decode.linker import link
from grader.engines.emulator.engine import EmulatorEngine
from grader.engines.emulator.launch import Execution, Limits
from grader.engines.emulator.order import Order, order_of
from grader.engines.emulator.parallel import blocks_are_independent
from grader.engines.emulator.ptx.parser import parse
from grader.model.devices import TESLA_T4
from grader.model.run import RunOptions
from tools.emulator.compiling import CUDA_FILE, Argument, InOut, Out, job_of, ptx_of

BLOCKS, THREADS = 37, 96
N = BLOCKS * THREADS
X = np.random.default_rng(5).standard_normal(N).astype(np.float32)
ARGUMENTS: dict[str, Argument] = {
    "x": X,
    "y": InOut(np.zeros(N, np.float32)),
    "out": Out((N,)),
    "n": np.int32(N),
}


def kernel(body: str) -> str:
    return (
        'extern "C" int printf(const char*, ...);\n'
        'extern "C" __global__ void k(const float* x, float* y, float* out, int n) {\n'
        f"    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n    {body}\n}}\n"
    )


INDEPENDENT = {
    "stencil": kernel("for (int k = 0; k < 50; ++k) y[i] += x[(i + k) % n]; out[i] = y[i];"),
    "tile": kernel(
        "__shared__ float s[96]; s[t] = x[i]; __syncthreads(); y[i] = s[95 - t]; atomicAdd(&s[0], 1.0f);"
        " __syncthreads(); out[i] = s[t];"
    ),
}
SHARING = {
    "sum": kernel("atomicAdd(&y[0], x[i]); out[i] = 1;"),
    "tickets": kernel("out[i] = atomicAdd(&((int*)y)[1], 1);"),
    "fence": kernel("out[i] = x[i]; __threadfence(); y[i] = 1;"),
    "volatile": kernel("((volatile float*)out)[i] = x[i];"),
    "clock": kernel("out[i] = clock();"),
    "printing": kernel('if (t == 0) printf("%d\\n", i); out[i] = 1;'),
}
MISTAKEN = {
    "out of bounds": kernel("out[i + 100] = x[i];"),
    "trap": kernel('if (i == 3000) asm("trap;"); out[i] = x[i];'),
    "endless": kernel("while (i == 2000 && n > 0) y[0] = 1; out[i] = x[i];"),
    "race": kernel("__shared__ float s[96]; s[t] = x[i]; out[i] = s[95 - t]; y[(i + 1) % n] = out[i];"),
    "waiting": kernel("if (i < 32) while (y[7] == 0) __syncwarp(); out[i] = x[i]; y[i] = 2;"),
}
ALL = INDEPENDENT | SHARING | MISTAKEN


@pytest.mark.parametrize("seed", [0, 1, 99])
@pytest.mark.parametrize("name", ALL)
def test_the_number_of_cores_changes_nothing(name: str, seed: int) -> None:
    job = job_of(ptx_of(ALL[name]), "k", BLOCKS, THREADS, ARGUMENTS)
    results = [
        EmulatorEngine(TESLA_T4).run(
            job, RunOptions(diagnostics=False, schedule_seed=seed, cores=cores, max_steps=2_000_000)
        )
        for cores in (1, 2, 5)
    ]
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("seed", [0, 1, 99])
@pytest.mark.parametrize("name", ALL)
def test_the_same_seed_gives_the_same_report(name: str, seed: int) -> None:
    job = job_of(ptx_of(ALL[name]), "k", BLOCKS, THREADS, ARGUMENTS)
    options = RunOptions(schedule_seed=seed, max_steps=2_000_000)
    first = EmulatorEngine(TESLA_T4).run(job, options)
    second = EmulatorEngine(TESLA_T4).run(job, options)
    assert first == second
    assert first.diagnostics or name not in MISTAKEN


@pytest.mark.parametrize("name", [*INDEPENDENT, *SHARING])
def test_only_blocks_that_exchange_nothing_are_spread_over_cores(name: str) -> None:
    program = link(parse(ptx_of(ALL[name]), (CUDA_FILE,)), "k")
    assert blocks_are_independent(program) == (name in INDEPENDENT)


def test_every_block_runs_once_on_one_of_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    cores = 3
    all_have_started = threading.Barrier(cores, timeout=60)
    parts: dict[int, list[tuple[int, int]]] = {}
    finish_part = Execution.finish_part

    def noted(execution: Execution, first: int, behind: int, limits: Limits) -> bool:
        if id(execution) not in parts:
            parts[id(execution)] = []
            all_have_started.wait()
        parts[id(execution)].append((first, behind))
        return finish_part(execution, first, behind, limits)

    monkeypatch.setattr(Execution, "finish_part", noted)
    job = job_of(ptx_of(INDEPENDENT["stencil"]), "k", BLOCKS, THREADS, ARGUMENTS)
    ran = EmulatorEngine(TESLA_T4).run(job, RunOptions(diagnostics=False, cores=cores))
    assert ran.fault is None
    assert len(parts) == cores
    blocks = [n for own in parts.values() for first, behind in own for n in range(first, behind)]
    assert sorted(blocks) == list(range(BLOCKS))


def test_tickets_are_given_out_in_the_order_of_the_seed() -> None:
    job = job_of(ptx_of(SHARING["tickets"]), "k", BLOCKS, THREADS, ARGUMENTS)
    outputs = [
        np.frombuffer(
            EmulatorEngine(TESLA_T4).run(job, RunOptions(schedule_seed=seed)).outputs["out"], np.float32
        )
        for seed in (0, 1, 2)
    ]
    assert np.array_equal(outputs[0], np.arange(N))
    for other in outputs[1:]:
        assert np.array_equal(np.sort(other), np.arange(N))
        blocks = other.reshape(BLOCKS, THREADS)
        assert not np.array_equal(np.argsort(blocks[:, 0]), np.arange(BLOCKS))
        assert any(not np.array_equal(np.sort(warp), warp) for warp in blocks.reshape(-1, 32))
    assert not np.array_equal(outputs[1], outputs[2])


@pytest.mark.parametrize("blocks", [1, 2, 3, 6, 64, 1000])
@pytest.mark.parametrize("seed", range(1, 6))
def test_every_seed_has_a_different_complete_order(seed: int, blocks: int) -> None:
    order = order_of(seed, 0, blocks, 4)
    visited = visited_blocks(order, blocks)
    assert sorted(visited) == list(range(blocks))
    assert visited != list(range(blocks)) or blocks == 1
    assert sorted(order.warps) == [0, 1, 2, 3]
    assert order.warps != (0, 1, 2, 3)
    lanes = [(order.first_lane + n * order.lane_stride) % 32 for n in range(32)]
    assert sorted(lanes) == list(range(32))
    assert lanes != list(range(32))
    assert order == order_of(seed, 0, blocks, 4)
    assert order != order_of(seed, 1, blocks, 4)


def test_the_natural_order_is_the_order_of_the_grid() -> None:
    assert visited_blocks(order_of(0, 3, 10, 4), 10) == list(range(10))
    assert order_of(0, 3, 10, 4).warps == (0, 1, 2, 3)


def visited_blocks(order: Order, blocks: int) -> list[int]:
    return [(order.first_block + n * order.block_stride) % blocks for n in range(blocks)]
