"""The cost model: what makes a kernel slower, and what does not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.engines.cost_model import WholeProblem, footprint_bytes, modelled_seconds
from grader.model.device import Device
from grader.model.devices import A100, G80, H200, RTX_4090, TESLA_P100, TESLA_T4
from grader.model.element_types import DType
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import AccessSite, ArrayTraffic, Counters

WARPS = 4096
"""Warps (one unit of work each) in every hand-made kernel below."""

MODERN = [TESLA_P100, TESLA_T4, A100, RTX_4090, H200]


def kernel(
    *,
    instructions: int,
    requests: int = 0,
    sectors: int = 0,
    lines: int = 0,
    wavefronts: int = 0,
    fp32: int = 0,
    barriers: int = 0,
    footprint: int = 0,
    threads: int = 256,
    registers: int = 32,
    shared_bytes: int = 0,
) -> Counters:
    """Return counters of a kernel of ``WARPS`` warps, from each warp's work; ``footprint`` in bytes per warp."""
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
        cache_lines=lines * WARPS,
        shared_requests=min(wavefronts, 2) * WARPS,
        shared_wavefronts=wavefronts * WARPS,
        atomics=0,
        chained_instructions=instructions * WARPS,
        chained_loads=-(-requests // 6) * WARPS,
        barriers=barriers * WARPS,
        footprint_bytes=footprint * WARPS,
    )


# Matmul, 16x16 blocks, 64 steps of k. Two rows of A and one of B per step: 2 requests, 4 sectors, 3 lines.
MATMUL_NAIVE = kernel(instructions=64 * 5, requests=128, sectors=256, lines=192, fp32=64)
MATMUL_SHARED = kernel(
    instructions=64 * 4 + 80,
    requests=8,
    sectors=32,
    lines=8,
    wavefronts=128 + 8,
    fp32=64,
    barriers=8,
    shared_bytes=2048,
)

# Transpose of one 32-element row per warp through a tile, with and without conflicts.
TRANSPOSE_SHARED = kernel(
    instructions=30,
    requests=2,
    sectors=8,
    lines=2,
    wavefronts=33,
    barriers=1,
    footprint=256,
    shared_bytes=4096,
)
TRANSPOSE_PADDED = replace(TRANSPOSE_SHARED, shared_wavefronts=2 * WARPS, shared_bytes=4224)

KERNELS = [MATMUL_NAIVE, MATMUL_SHARED, TRANSPOSE_SHARED, TRANSPOSE_PADDED]


def traffic(*, store: bool, transactions: int, ideal: int = 4) -> Counters:
    """Return counters of a kernel with one request per warp, a load or a store."""
    site = AccessSite(
        space="global",
        file="k.cu",
        line=3,
        store=store,
        requests=WARPS,
        transactions=transactions * WARPS,
        ideal=ideal * WARPS,
    )
    counters = kernel(instructions=2, requests=1, sectors=transactions, lines=transactions, footprint=128)
    return replace(counters, sites=(site,), stored_lines=transactions * WARPS if store else 0)


@pytest.mark.parametrize("device", MODERN, ids=lambda device: device.name)
def test_padding_away_bank_conflicts_pays_on_every_modern_device(device: Device) -> None:
    assert modelled_seconds([TRANSPOSE_SHARED], device) > modelled_seconds([TRANSPOSE_PADDED], device)


def test_a_scattered_store_costs_more_than_a_scattered_load() -> None:
    store, load = traffic(store=True, transactions=32), traffic(store=False, transactions=32)
    assert modelled_seconds([store], H200) > 1.5 * modelled_seconds([load], H200)


def test_stores_that_fill_lines_cost_less_than_those_of_single_sectors() -> None:
    scattered = traffic(store=True, transactions=32)
    strided = replace(scattered, stored_lines=scattered.stored_lines // 4)
    assert modelled_seconds([scattered], H200) > 1.5 * modelled_seconds([strided], H200)


def test_updating_neighbours_one_by_one_finds_less_in_the_l1_than_together() -> None:
    arrays = [
        ArrayTraffic(space="global", name="x", store=store, moved=1, useful=1) for store in (False, True)
    ]
    one_by_one = replace(
        kernel(instructions=20, requests=8, sectors=256, lines=64, footprint=1024), chained_loads=8 * WARPS
    )
    in_place = replace(one_by_one, arrays=tuple(arrays))
    together = replace(in_place, chained_loads=WARPS)
    whole = WholeProblem(blocks=one_by_one.blocks, times=1.0, footprint_bytes=one_by_one.footprint_bytes)
    assert modelled_seconds([in_place], H200, whole) > 1.5 * modelled_seconds([one_by_one], H200, whole)
    assert modelled_seconds([in_place], H200, whole) > 1.5 * modelled_seconds([together], H200, whole)


def test_requests_that_touch_more_lines_take_longer_in_the_l1() -> None:
    row = kernel(instructions=10, requests=8, sectors=32, lines=8)
    column = replace(row, cache_lines=32 * WARPS)
    assert modelled_seconds([column], H200) > modelled_seconds([row], H200)


def test_rows_that_all_resident_warps_read_do_not_fit_a_small_l1() -> None:
    scattered = kernel(instructions=10, requests=32, sectors=32 * 32, lines=32 * 32, footprint=128)
    small, large = (replace(H200, l1_bytes=size) for size in (24 * 1024, 256 * 1024))
    assert modelled_seconds([scattered], small) > modelled_seconds([scattered], large)


GROWING = [
    "global_sectors",
    "texture_requests",
    "cache_lines",
    "shared_wavefronts",
    "warp_instructions",
    "atomic_operations",
    "most_atomics",
    "atomic_replays",
    "local_requests",
    "chained_instructions",
    "chained_loads",
    "barriers_after_loads",
    "stored_lines",
]


@given(
    # Without sectors and textures: if the same data takes more of them, caches serve the rest, faster on average.
    field=st.sampled_from(GROWING[2:]),
    rung=st.sampled_from(KERNELS),
    device=st.sampled_from(MODERN),
    more=st.integers(1, 10**9),
)
def test_doing_more_never_makes_a_kernel_faster(
    field: str, rung: Counters, device: Device, more: int
) -> None:
    grown = {field: getattr(rung, field) + more}
    if field == "local_requests":  # each is an instruction too
        grown["warp_instructions"] = rung.warp_instructions + more
    slower = replace(rung, **grown)
    assert modelled_seconds([slower], device) >= modelled_seconds([rung], device)


@pytest.mark.parametrize("field", GROWING)
def test_twice_the_conflicts_sectors_or_work_is_strictly_slower(field: str) -> None:
    rung = replace(
        MATMUL_SHARED,
        atomic_operations=100 * WARPS,
        most_atomics=WARPS,
        atomic_replays=WARPS,
        local_requests=WARPS,
        texture_requests=WARPS,
        chained_loads=8 * WARPS,
        barriers_after_loads=WARPS,
        stored_lines=WARPS,
    )
    slower = replace(rung, **{field: 2 * getattr(rung, field)})
    assert modelled_seconds([slower], TESLA_T4) > modelled_seconds([rung], TESLA_T4)


def test_a_problem_twice_as_large_takes_twice_as_long() -> None:
    both = modelled_seconds([MATMUL_NAIVE, MATMUL_NAIVE], TESLA_T4) - TESLA_T4.launch_overhead
    assert both == pytest.approx(2 * modelled_seconds([MATMUL_NAIVE], TESLA_T4))


def test_a_grid_that_leaves_sms_idle_is_slow_for_that() -> None:
    one_block = replace(MATMUL_NAIVE, blocks=1, threads_per_block=1024)
    assert modelled_seconds([one_block], TESLA_T4) > 2 * modelled_seconds([MATMUL_NAIVE], TESLA_T4)


def test_a_problem_may_be_a_multiple_of_what_was_counted() -> None:
    def whole(times: int) -> float:
        problem = WholeProblem(blocks=times * MATMUL_NAIVE.blocks, times=times, footprint_bytes=0)
        return modelled_seconds([MATMUL_NAIVE], TESLA_T4, problem)

    assert whole(400) == pytest.approx(4 * whole(100), rel=0.02)


def test_blocks_on_an_sm_wait_only_where_they_do_not_fit() -> None:
    def whole(blocks: int) -> float:
        problem = WholeProblem(blocks=blocks, times=blocks / MATMUL_NAIVE.blocks, footprint_bytes=0)
        return modelled_seconds([MATMUL_NAIVE], H200, problem)

    assert whole(1) == pytest.approx(whole(H200.sm_count), rel=0.2)
    assert whole(80 * H200.sm_count) > 5 * whole(H200.sm_count)


def test_fewer_warps_hide_less_latency() -> None:
    hungry = replace(MATMUL_NAIVE, registers=128)
    assert modelled_seconds([hungry], TESLA_T4) > modelled_seconds([MATMUL_NAIVE], TESLA_T4)


def test_a_launch_does_not_end_before_its_longest_warp() -> None:
    even = kernel(instructions=64, requests=20, sectors=80, lines=20, footprint=2048)
    uneven = replace(even, busy_blocks=1.0, busy_warps=8.0)
    assert modelled_seconds([uneven], H200) > 3 * modelled_seconds([even], H200)


def test_a_slightly_longer_warp_hides_as_much() -> None:
    """Sixteen waves of blocks take the same time whether or not one warp has twice the work."""
    even = kernel(instructions=64, requests=20, sectors=80, lines=20, footprint=2048)
    whole = WholeProblem(blocks=16 * 8 * H200.sm_count, times=1.0, footprint_bytes=even.footprint_bytes)
    uneven = replace(even, busy_blocks=even.blocks / 2)
    assert modelled_seconds([uneven], H200, whole) == pytest.approx(modelled_seconds([even], H200, whole))


@given(
    rung=st.sampled_from(KERNELS),
    device=st.sampled_from(MODERN),
    blocks=st.integers(1, 4096),
    idle=st.integers(1, 10**6),
)
def test_idle_blocks_never_make_a_kernel_faster(
    rung: Counters, device: Device, blocks: int, idle: int
) -> None:
    def whole(blocks_of_it: int) -> WholeProblem:
        return WholeProblem(blocks=blocks_of_it, times=1.0, footprint_bytes=rung.footprint_bytes)

    busy = replace(rung, blocks=blocks, busy_blocks=float(blocks))
    padded = replace(busy, blocks=blocks + idle)
    least = modelled_seconds([busy], device, whole(blocks)) * (1 - 1e-9)
    assert modelled_seconds([padded], device, whole(blocks + idle)) >= least


def test_idle_warps_do_not_hide_latency() -> None:
    one_warp = replace(MATMUL_NAIVE, blocks=32, threads_per_block=32)
    padded = replace(one_warp, threads_per_block=1024, busy_warps=1.0)
    assert modelled_seconds([padded], H200) >= modelled_seconds([one_warp], H200)


def test_independent_instructions_wait_together() -> None:
    whole = WholeProblem(blocks=H200.sm_count, times=4.0, footprint_bytes=0)
    sums = kernel(instructions=4000, requests=8, sectors=32, lines=8, fp32=3000, registers=128)
    assert modelled_seconds([sums], H200, whole) > 1.5 * modelled_seconds(
        [replace(sums, chained_instructions=sums.warp_instructions // 10)], H200, whole
    )


def test_a_block_in_step_hides_its_conflicts_worse_if_it_is_large() -> None:
    small = replace(TRANSPOSE_SHARED, barriers_after_loads=TRANSPOSE_SHARED.global_requests)
    large = replace(small, threads_per_block=1024, blocks=small.blocks // 4)
    alone = replace(large, barriers_after_loads=0)
    seconds = {}
    for name, counters in {"small": small, "large": large, "alone": alone}.items():
        blocks = 8 * H200.sm_count * 256 // counters.threads_per_block
        whole = WholeProblem(blocks=blocks, times=1.0, footprint_bytes=0)
        seconds[name] = modelled_seconds([counters], H200, whole)
    assert seconds["large"] > 1.03 * seconds["small"]
    assert seconds["large"] > 1.03 * seconds["alone"]


def test_loads_that_wait_together_take_as_long_as_the_slowest() -> None:
    together = kernel(instructions=200, requests=64, sectors=256, lines=64)
    apart = replace(together, chained_loads=together.global_requests)
    whole = WholeProblem(blocks=H200.sm_count, times=1.0, footprint_bytes=0)
    assert modelled_seconds([apart], H200, whole) > 1.2 * modelled_seconds([together], H200, whole)


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
    assert modelled_seconds([wide], H200) == pytest.approx(modelled_seconds([narrow], H200), rel=0.2)


def test_nothing_launched_takes_no_time() -> None:
    assert modelled_seconds([], TESLA_T4) == 0


def test_double_precision_needs_lanes_and_is_slow_with_few() -> None:
    double = replace(MATMUL_SHARED, fp32_instructions=0, fp64_instructions=64 * WARPS)
    assert modelled_seconds([double], TESLA_T4) > 5 * modelled_seconds([MATMUL_SHARED], TESLA_T4)
    with pytest.raises(ValueError, match="no double precision"):
        modelled_seconds([double], G80)


def test_the_footprint_counts_updated_buffers_twice() -> None:
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
