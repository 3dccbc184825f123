"""The emulator's speed, its start and its memory, each against its target.

Run with ``make bench`` on a machine that does nothing else; it takes about two minutes. Each benchmark leaves a figure
in pytest-benchmark's ``extra_info``, which ``benchmarks.emulator_speed_report`` turns into the page.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from benchmarks.workloads import first_start_seconds, product, simulator_seconds, start_seconds, unrolled
from grader.model.devices import TESLA_T4
from grader.model.run import LaunchJob, RunOptions
from tools.emulator.compiling import engine_for
from tools.emulator.footprint import peak_megabytes

MILLION = 1e6
SIZES = (64, 128, 192, 256, 320, 384)


@dataclass(frozen=True)
class Target:
    """What a figure has to reach (``at_least``) or stay within."""

    value: float
    at_least: bool

    def holds(self, value: float) -> bool:
        """Whether ``value`` is on the right side."""
        return value >= self.value if self.at_least else value <= self.value


def at_least(value: float) -> Target:
    """More is better."""
    return Target(value, at_least=True)


def at_most(value: float) -> Target:
    """Less is better."""
    return Target(value, at_least=False)


def settle(benchmark: Any, label: str, value: float, unit: str, target: Target | None = None) -> None:
    """Leave a figure for the report, and hold it against its target if it has one."""
    benchmark.extra_info["figure"] = {"label": label, "value": value, "unit": unit} | {
        "target": target.value if target else None,
        "at_least": target.at_least if target else None,
    }
    assert target is None or target.holds(value), f"{label}: {value:.3g} {unit}"


def seconds(job: LaunchJob, options: RunOptions) -> float:
    """One run of the whole engine call."""
    engine = engine_for(TESLA_T4)
    started = time.perf_counter()
    result = engine.run(job, options)
    elapsed = time.perf_counter() - started
    assert result.fault is None
    return elapsed


def thread_instructions(job: LaunchJob) -> int:
    """What a run carries out, by the emulator's own counters. Warms the engine up for it, too."""
    (counters,) = engine_for(TESLA_T4).run(job, RunOptions(timeout=60)).counters
    return counters.thread_instructions


def median(benchmark: Any, function: Callable[..., Any], *args: Any, rounds: int) -> float:
    """The median time of some rounds after one to warm up."""
    benchmark.pedantic(function, args=args, rounds=rounds, warmup_rounds=1)
    result: float = benchmark.stats.stats.median
    return result


@pytest.mark.parametrize(
    ("kind", "diagnostics", "target"),
    [("naive", False, 600), ("tiled", False, 500), ("naive", True, 200), ("tiled", True, 600)],
    ids=["naive", "tiled", "naive-diagnosed", "tiled-diagnosed"],
)
def test_matrix_products(benchmark: Any, kind: str, diagnostics: bool, target: float) -> None:
    job = product(kind, 256)
    instructions = thread_instructions(job)
    took = median(benchmark, seconds, job, RunOptions(diagnostics=diagnostics, timeout=60), rounds=7)
    label = f"{kind} matrix product, 256³" + (", all diagnostics" if diagnostics else "")
    settle(benchmark, label, instructions / took / MILLION, "million thread-instructions/s", at_least(target))


@pytest.mark.parametrize("diagnostics", [False, True], ids=["plain", "diagnosed"])
@pytest.mark.parametrize("kind", ["naive", "tiled"])
def test_cost_grows_linearly(benchmark: Any, kind: str, diagnostics: bool) -> None:
    options = RunOptions(diagnostics=diagnostics, timeout=60)
    jobs = [product(kind, size) for size in SIZES]
    instructions = [thread_instructions(job) for job in jobs]
    rounds: list[list[float]] = []
    # All sizes in turn and the best of each, so that a machine's slower minute does not bend the line.
    benchmark.pedantic(lambda: rounds.append([seconds(job, options) for job in jobs]), rounds=6)
    points = list(zip(instructions, map(min, zip(*rounds, strict=True)), strict=True))
    benchmark.extra_info["series"] = {"kind": kind, "diagnostics": diagnostics, "points": points}
    cost = [took / count for count, took in points[1:]]
    label = f"{kind}, {'all' if diagnostics else 'no'} diagnostics: time per instruction, 128³ to 384³"
    settle(benchmark, label, max(cost) / min(cost), "× largest over smallest", at_most(1.5))


def test_a_small_product_is_launched_at_once(benchmark: Any) -> None:
    took = median(benchmark, seconds, product("naive", 32), RunOptions(), rounds=51)
    settle(benchmark, "naive 32³ with all diagnostics, the whole call", took * 1000, "ms", at_most(3))


@pytest.mark.parametrize("kind", ["naive", "tiled"])
def test_a_small_product_beats_numbas_simulator(benchmark: Any, kind: str) -> None:
    took = median(benchmark, seconds, product(kind, 32), RunOptions(diagnostics=False), rounds=101)
    ratio = simulator_seconds(kind) / took
    # The simulator's cost without barriers is Python's own, which differs several times between machines.
    target = at_least(1000) if kind == "tiled" else None
    settle(benchmark, f"Numba's simulator over the emulator, {kind} 32³", ratio, "×", target)


def test_two_cores_share_independent_blocks(benchmark: Any) -> None:
    job = product("naive", 512)
    options = [RunOptions(diagnostics=False, timeout=60, cores=cores) for cores in (1, 2)]
    thread_instructions(job)
    ratios: list[float] = []

    def pair() -> None:
        one, two = (seconds(job, each) for each in options)
        ratios.append(one / two)

    benchmark.pedantic(pair, rounds=9, warmup_rounds=2)
    settle(benchmark, "two cores over one, naive 512³", statistics.median(ratios), "×", at_least(1.7))


def test_an_unrolled_kernel_starts_at_once(benchmark: Any) -> None:
    engine = engine_for(TESLA_T4)
    job = unrolled()
    engine.run(job, RunOptions())

    def afresh() -> None:
        engine.close()
        engine.run(job, RunOptions())

    took = median(benchmark, afresh, rounds=20)
    settle(
        benchmark, "reading, decoding and first launch of 1000 instructions", took * 1000, "ms", at_most(100)
    )


def test_the_first_start_compiles_the_interpreter(benchmark: Any) -> None:
    took = benchmark.pedantic(first_start_seconds, rounds=1)
    settle(benchmark, "first start on a machine, interpreter compiled", took, "s", at_most(20))


def test_a_later_start_loads_it(benchmark: Any) -> None:
    took = median(benchmark, start_seconds, rounds=5)
    settle(benchmark, "later start, Python's own included", took, "s", at_most(1))


def test_memory_stays_in_proportion_to_the_buffers(benchmark: Any) -> None:
    megabytes = 512
    peak = benchmark.pedantic(peak_megabytes, args=(megabytes,), rounds=1)
    label = "memory of a run with all diagnostics beyond 300 MB, over its 512 MB of buffers"
    settle(benchmark, label, max(peak - 300, 0) / megabytes, "×", at_most(3))
