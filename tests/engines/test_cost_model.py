"""The cost model against ladders whose order, and on an H200 whose rates, were measured."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.engines.cost_model import footprint_bytes, modelled_seconds
from grader.model.device import Device
from grader.model.devices import A100, G80, H200, RTX_4090, TESLA_P100, TESLA_T4
from grader.model.kernel import DType
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import AccessSite, Counters

WARPS = 4096
"""Warps (one unit of work each) in every hand-made kernel below."""

MODERN = [TESLA_P100, TESLA_T4, A100, RTX_4090, H200]


def kernel(
    *,
    instructions: int,
    requests: int = 0,
    sectors: int = 0,
    wavefronts: int = 0,
    fp32: int = 0,
    barriers: int = 0,
    footprint: int = 0,
    threads: int = 256,
    registers: int = 32,
    shared_bytes: int = 0,
) -> Counters:
    """Counters of a kernel of ``WARPS`` warps, from what each warp does; ``footprint`` in bytes per warp."""
    return Counters(
        kernel="k",
        launches=1,
        blocks=WARPS * 32 // threads,
        threads_per_block=threads,
        shared_bytes=shared_bytes,
        registers=registers,
        thread_instructions=instructions * WARPS * 32,
        warp_instructions=instructions * WARPS,
        fp32_instructions=fp32 * WARPS,
        fp64_instructions=0,
        global_requests=requests * WARPS,
        global_sectors=sectors * WARPS,
        shared_requests=min(wavefronts, 2) * WARPS,
        shared_wavefronts=wavefronts * WARPS,
        atomics=0,
        barriers=barriers * WARPS,
        footprint_bytes=footprint * WARPS,
    )


# Matmul, 16x16 blocks, 64 steps of k. Two rows of A and one of B per step: 2 requests, 4 sectors.
MATMUL_NAIVE = kernel(instructions=64 * 5, requests=128, sectors=256, fp32=64)
MATMUL_SHARED = kernel(
    instructions=64 * 4 + 80,
    requests=8,
    sectors=32,
    wavefronts=128 + 8,
    fp32=64,
    barriers=8,
    shared_bytes=2048,
)
MATMUL_PADDED = replace(MATMUL_SHARED, shared_bytes=2176)

# Transpose of one 32-element row per warp: read 4 sectors, write 32 apart or 4 together.
TRANSPOSE_NAIVE = kernel(instructions=14, requests=2, sectors=36, footprint=256)
TRANSPOSE_SHARED = kernel(
    instructions=30, requests=2, sectors=8, wavefronts=33, barriers=1, footprint=256, shared_bytes=4096
)
TRANSPOSE_PADDED = replace(TRANSPOSE_SHARED, shared_wavefronts=2 * WARPS, shared_bytes=4224)

# Row sums: one thread a row reads 32 sectors a request; tiles of 32x32 read 4 and then walk a column or a padded one.
ROW_SUM_NAIVE = kernel(instructions=6, requests=1, sectors=32, fp32=1, footprint=128)
ROW_SUM_SHARED = kernel(
    instructions=20,
    requests=1,
    sectors=4,
    wavefronts=33,
    fp32=1,
    barriers=1,
    footprint=128,
    shared_bytes=4096,
)
ROW_SUM_PADDED = replace(ROW_SUM_SHARED, shared_wavefronts=2 * WARPS, shared_bytes=4224)

LADDERS = {
    "matmul": (MATMUL_NAIVE, MATMUL_SHARED, MATMUL_PADDED),
    "transpose": (TRANSPOSE_NAIVE, TRANSPOSE_SHARED, TRANSPOSE_PADDED),
    "row-sum": (ROW_SUM_NAIVE, ROW_SUM_SHARED, ROW_SUM_PADDED),
}


@pytest.mark.parametrize("device", MODERN, ids=lambda device: device.name)
@pytest.mark.parametrize("lab", LADDERS)
def test_every_ladder_rises_on_every_modern_device(lab: str, device: Device) -> None:
    naive, shared, padded = (modelled_seconds([rung], device) for rung in LADDERS[lab])
    assert naive > shared >= padded


@pytest.mark.parametrize("lab", ["transpose", "row-sum"])
def test_padding_away_bank_conflicts_shows_clearly_on_the_emulators_default_device(lab: str) -> None:
    _, shared, padded = (modelled_seconds([rung], TESLA_T4) for rung in LADDERS[lab])
    assert shared / padded > 1.1


@pytest.mark.parametrize(
    ("rung", "work_per_warp", "measured"),
    [
        (MATMUL_NAIVE, 64 * 64, 5.1e12),  # 4096^3, FLOP/s
        (MATMUL_SHARED, 64 * 64, 8.1e12),
        (TRANSPOSE_NAIVE, 256, 993e9),  # 16384^2, bytes/s
        (TRANSPOSE_PADDED, 256, 3552e9),
        (ROW_SUM_NAIVE, 128, 502e9),  # 16384^2, bytes/s
    ],
)
def test_rates_on_an_h200_are_within_a_quarter_of_those_measured(
    rung: Counters, work_per_warp: int, measured: float
) -> None:
    assert work_per_warp * WARPS / modelled_seconds([rung], H200) == pytest.approx(measured, rel=0.25)


def test_the_lectures_own_device_wants_shared_memory_even_more() -> None:
    gain_then = modelled_seconds([MATMUL_NAIVE], G80) / modelled_seconds([MATMUL_SHARED], G80)
    gain_now = modelled_seconds([MATMUL_NAIVE], H200) / modelled_seconds([MATMUL_SHARED], H200)
    assert gain_then > gain_now > 1


GROWING = [
    "global_sectors",
    "shared_wavefronts",
    "barriers",
    "atomics",
    "warp_instructions",
    "fp32_instructions",
]


@given(
    field=st.sampled_from([*GROWING, "fp64_instructions", "footprint_bytes"]),
    rung=st.sampled_from([rung for ladder in LADDERS.values() for rung in ladder]),
    device=st.sampled_from(MODERN),
    more=st.integers(1, 10**9),
)
def test_doing_more_never_makes_a_kernel_faster(
    field: str, rung: Counters, device: Device, more: int
) -> None:
    slower = replace(rung, **{field: getattr(rung, field) + more})
    assert modelled_seconds([slower], device) >= modelled_seconds([rung], device)


@pytest.mark.parametrize("field", GROWING)
def test_twice_the_conflicts_sectors_or_work_is_strictly_slower(field: str) -> None:
    rung = replace(MATMUL_SHARED, atomics=WARPS)
    slower = replace(rung, **{field: 2 * getattr(rung, field)})
    assert modelled_seconds([slower], TESLA_T4) > modelled_seconds([rung], TESLA_T4)


def test_a_problem_twice_as_large_takes_twice_as_long() -> None:
    both = modelled_seconds([MATMUL_NAIVE, MATMUL_NAIVE], TESLA_T4) - TESLA_T4.launch_overhead
    assert both == pytest.approx(2 * modelled_seconds([MATMUL_NAIVE], TESLA_T4))


def test_a_grid_that_leaves_sms_idle_is_not_punished() -> None:
    assert modelled_seconds([replace(MATMUL_NAIVE, blocks=1)], TESLA_T4) == modelled_seconds(
        [MATMUL_NAIVE], TESLA_T4
    )


def test_fewer_warps_hide_less_latency() -> None:
    hungry = replace(MATMUL_NAIVE, registers=128)
    assert modelled_seconds([hungry], TESLA_T4) > modelled_seconds([MATMUL_NAIVE], TESLA_T4)


def test_every_launch_after_the_first_costs_its_overhead() -> None:
    once = modelled_seconds([MATMUL_NAIVE], TESLA_T4)
    assert modelled_seconds([replace(MATMUL_NAIVE, launches=4)], TESLA_T4) == pytest.approx(
        once + 3 * TESLA_T4.launch_overhead
    )


def test_sixteen_byte_loads_are_as_coalesced_as_four_byte_ones() -> None:
    def load(requests: int, ideal: int) -> Counters:
        site = AccessSite(
            space="global", file="k.cu", line=3, store=False, requests=requests * WARPS, transactions=16 * WARPS,
            ideal=ideal * WARPS,
        )  # fmt: skip
        return replace(kernel(instructions=10, requests=requests, sectors=16), sites=(site,))

    wide, narrow = load(requests=1, ideal=16), load(requests=4, ideal=16)
    assert modelled_seconds([wide], H200) <= modelled_seconds([narrow], H200)


def test_nothing_done_takes_no_time() -> None:
    assert modelled_seconds([], TESLA_T4) == 0
    assert modelled_seconds([kernel(instructions=0)], TESLA_T4) == 0


def test_double_precision_is_slow_where_its_lanes_are_few_and_refused_where_there_are_none() -> None:
    double = replace(MATMUL_SHARED, fp32_instructions=0, fp64_instructions=64 * WARPS)
    assert modelled_seconds([double], TESLA_T4) > 5 * modelled_seconds([MATMUL_SHARED], TESLA_T4)
    with pytest.raises(ValueError, match="no double precision"):
        modelled_seconds([double], G80)


def test_the_footprint_counts_each_buffer_once_a_launch_and_updated_ones_both_ways() -> None:
    shape = LaunchShape(grid=Dim3(), block=Dim3(x=32))
    plan = LaunchPlan(
        buffers=(
            Buffer(name="a", dtype=DType.FLOAT32, shape=(10,), role=Role.INPUT),
            Buffer(name="b", dtype=DType.FLOAT64, shape=(3,), role=Role.INOUT),
            Buffer(name="c", dtype=DType.FLOAT32, shape=(100,), role=Role.OUTPUT),
        ),
        launches=(
            Launch(kernel="k", shape=shape, args=("a", "a", "b", 7)),
            Launch(kernel="k", shape=shape, args=("a", "a", "b", 7)),
            Launch(kernel="other", shape=shape, args=("c",)),
        ),
    )
    assert footprint_bytes(plan, "k") == 2 * (40 + 2 * 24)
