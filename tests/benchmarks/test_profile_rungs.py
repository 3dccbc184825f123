"""Reading what Nsight Compute prints."""

import pytest

from benchmarks.profile_rungs import COUNTERS, known_counters, matched, rows

REPORT = """==PROF== Connected to process 17
==PROF== Disconnected from process 17
"ID","Process ID","Kernel Name","launch__registers_per_thread","smsp__inst_executed.sum"
"","","","register/thread","inst"
"0","17","transpose(const float *, float *, int, int)","26","1,024.000000"
"1","17","row_sum_global[abi:v1,cw51](Array<float, 2, C>)","18","7"
"""

KEPT = {"warp_instructions": "smsp__inst_executed.sum", "registers": "launch__registers_per_thread"}

LAUNCHED = [
    {"name": "a", "symbol": "_Z9transposePKfPfii"},
    {"name": "b", "symbol": "_ZN11row_sum_global14row_sum_globalB2v1E"},
]


def test_counters_are_matched_to_launches_in_their_order() -> None:
    assert matched(LAUNCHED, rows(REPORT), KEPT) == {
        "a": {"warp_instructions": 1024, "registers": 26},
        "b": {"warp_instructions": 7, "registers": 18},
    }


def test_launches_of_one_name_are_summed_except_registers() -> None:
    launched = [LAUNCHED[0], LAUNCHED[1] | {"name": "a"}]
    assert matched(launched, rows(REPORT), KEPT) == {"a": {"warp_instructions": 1031, "registers": 18}}


def test_another_kernel_than_the_one_launched_is_refused() -> None:
    with pytest.raises(ValueError, match="the profiler saw transpose"):
        matched(LAUNCHED[::-1], rows(REPORT), KEPT)


def test_a_launch_that_was_not_profiled_is_refused() -> None:
    with pytest.raises(ValueError, match="3 launches were made, 2 profiled"):
        matched([*LAUNCHED, LAUNCHED[0]], rows(REPORT), KEPT)


def test_counters_that_the_profiler_lacks_are_named() -> None:
    known, unknown = known_counters("smsp__inst_executed  Counter  # of warp instructions\n")
    assert known == KEPT
    assert set(unknown) == set(COUNTERS.values()) - set(KEPT.values())
