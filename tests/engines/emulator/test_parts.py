"""The interpreter's functions become machine code only where they are linked into its entry point."""

import gc
from typing import Any

import numba
import numpy as np
import pytest

from grader.engines.emulator.arrays import address_of, aligned_bytes, aligned_records
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.records import EVENT
from grader.engines.emulator.warm_up import warm_up


def _twice(number: int) -> int:
    return 2 * number


def test_a_part_has_no_machine_code_of_its_own_but_its_callers_contain_it() -> None:
    twice: Any = compiled(_twice)
    more: Any = compiled(lambda number: twice(number) + 1)
    caller: Any = numba.njit(lambda number: more(number) + twice(1))
    assert caller(20) == 43
    for part in (twice, more):
        (result,) = part.overloads.values()
        assert result.library.get_pointer_to_function(result.fndesc.llvm_func_name) == 0


def test_a_part_is_compiled_once_for_integers_of_every_width() -> None:
    twice: Any = compiled(_twice)
    caller: Any = numba.njit(lambda short, long: twice(short) + twice(long) + twice(5))
    assert caller(np.int16(1), np.int64(2)) == 16
    assert len(twice.overloads) == 1


@pytest.mark.parametrize("count", [1, 7, 4096])
def test_memory_for_the_interpreter_is_aligned_and_has_the_address_that_numpy_names(count: int) -> None:
    for array in (aligned_bytes(count), aligned_records(EVENT, count)):
        assert address_of(array) == array.ctypes.data
        assert address_of(array) % 256 == 0
        assert not array.view(np.uint8).any()
    assert address_of(np.zeros(0)) == 0


def test_warming_up_leaves_the_garbage_collector_as_it_was() -> None:
    assert gc.isenabled()
    warm_up()
    assert gc.isenabled()
