"""Occupancy against the lectures' own examples (G80) and NVIDIA's calculator (later devices)."""

import pytest

from grader.compile.occupancy import Limiter, occupancy, occupancy_advice
from grader.model.device import Device
from grader.model.devices import A100, G80, H200, RTX_4090, TESLA_P100, TESLA_T4
from grader.model.reason import Reason, reason


@pytest.mark.parametrize(("threads", "blocks"), [(96, 8), (192, 4)])
def test_g80_is_filled_by_8_blocks_of_96_and_by_4_of_192(threads: int, blocks: int) -> None:
    found = occupancy(G80, threads, registers=8, shared_bytes=1024)
    assert (found.active_blocks, found.fraction) == (blocks, 1.0)


def test_g80_does_not_hold_8_blocks_of_192() -> None:
    found = occupancy(G80, 192, registers=8, shared_bytes=1024)
    assert found.active_blocks < 8
    assert found.limiter is Limiter.THREADS


def test_one_more_register_costs_g80_a_whole_block() -> None:
    ten = occupancy(G80, 256, registers=10, shared_bytes=4096)
    eleven = occupancy(G80, 256, registers=11, shared_bytes=4096)
    assert (ten.active_blocks, ten.active_warps, ten.fraction) == (3, 24, 1.0)
    assert (eleven.active_blocks, eleven.active_warps, eleven.limiter) == (2, 16, Limiter.REGISTERS)


def test_g80_rounds_registers_up_for_the_block_not_for_the_warp() -> None:
    # 3 warps are allocated as 4: 4 * 32 * 10 = 1280 registers; 8192 registers hold six such blocks.
    assert occupancy(G80, 96, registers=10, shared_bytes=0).active_blocks == 6


def test_g80_shared_memory_is_allocated_in_512_bytes() -> None:
    assert occupancy(G80, 64, registers=4, shared_bytes=4096).active_blocks == 4
    assert occupancy(G80, 64, registers=4, shared_bytes=4097).limiter is Limiter.SHARED_MEMORY
    assert occupancy(G80, 64, registers=4, shared_bytes=4097).active_blocks == 3


def test_small_blocks_run_out_of_block_slots() -> None:
    found = occupancy(TESLA_T4, 32, registers=16, shared_bytes=0)
    assert (found.active_blocks, found.limiter, found.fraction) == (16, Limiter.BLOCKS, 0.5)


@pytest.mark.parametrize(
    ("device", "threads", "registers", "shared", "blocks", "limiter"),
    [
        (TESLA_T4, 256, 32, 0, 4, Limiter.THREADS),
        (TESLA_T4, 256, 65, 0, 3, Limiter.REGISTERS),  # 65 * 32 rounds up to 2304 a warp
        (TESLA_T4, 256, 32, 20000, 3, Limiter.SHARED_MEMORY),
        (TESLA_P100, 256, 32, 0, 8, Limiter.THREADS),
        (TESLA_P100, 96, 96, 0, 6, Limiter.REGISTERS),  # 21 warps fit, 20 in pairs
        (A100, 1024, 32, 0, 2, Limiter.THREADS),
        (A100, 128, 32, 16 * 1024, 9, Limiter.SHARED_MEMORY),  # 16 KiB and the reserved 1 KiB
        (RTX_4090, 1024, 32, 0, 1, Limiter.THREADS),
        (H200, 256, 128, 0, 2, Limiter.REGISTERS),
        (H200, 32, 255, 0, 8, Limiter.REGISTERS),
        (H200, 256, 32, 227 * 1024, 1, Limiter.SHARED_MEMORY),
    ],
)
def test_later_devices_agree_with_the_calculator(
    device: Device, threads: int, registers: int, shared: int, blocks: int, limiter: Limiter
) -> None:
    found = occupancy(device, threads, registers, shared)
    assert (found.active_blocks, found.limiter) == (blocks, limiter)


def test_the_reserved_kilobyte_counts_from_ampere_on() -> None:
    # Ten blocks of 16 KiB are 160 KiB and would fit into 164 KiB if nothing were reserved.
    assert occupancy(A100, 64, registers=16, shared_bytes=16 * 1024).active_blocks == 9


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "limiter"),
    [
        (2048, 16, 0, Limiter.THREADS),
        (1024, 128, 0, Limiter.REGISTERS),
        (256, 16, 65 * 1024, Limiter.SHARED_MEMORY),
    ],
)
def test_a_block_that_does_not_fit_says_why(
    threads: int, registers: int, shared: int, limiter: Limiter
) -> None:
    found = occupancy(TESLA_T4, threads, registers, shared)
    assert (found.active_blocks, found.fraction, found.limiter) == (0, 0.0, limiter)


def test_an_empty_block_is_refused() -> None:
    with pytest.raises(ValueError, match="0 threads"):
        occupancy(TESLA_T4, 0, registers=16, shared_bytes=0)


def test_advice_names_the_register_count_of_the_lectures_example() -> None:
    advice = occupancy_advice(G80, 256, registers=11, shared_bytes=4096)
    assert advice == reason("fewer-registers-fit", amount=10, blocks=3, share="100")


def test_a_full_sm_gets_no_occupancy_advice() -> None:
    assert occupancy_advice(G80, 96, registers=8, shared_bytes=1024) is None


def test_advice_names_shared_memory_where_it_is_the_limit() -> None:
    advice = occupancy_advice(TESLA_T4, 256, registers=32, shared_bytes=20000)
    assert advice == reason("less-shared-fits", amount=16384, blocks=4, share="100")
    occupied = occupancy(TESLA_T4, 256, registers=32, shared_bytes=16384)
    assert (occupied.active_blocks, occupied.fraction) == (4, 1.0)


@pytest.mark.parametrize(
    ("threads", "advice"),
    [
        (32, reason("other-block-fits", amount=64, blocks=16, share="100")),
        (768, reason("other-block-fits", amount=512, blocks=2, share="100")),
    ],
)
def test_advice_names_a_block_size_where_slots_run_out(threads: int, advice: Reason) -> None:
    assert occupancy_advice(TESLA_T4, threads, registers=16, shared_bytes=0) == advice


def test_where_no_single_change_helps_none_is_promised() -> None:
    assert occupancy_advice(TESLA_T4, 512, registers=128, shared_bytes=40 * 1024) is None
