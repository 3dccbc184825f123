"""The interpreter's functions become machine code only where they are linked into its entry point."""

import gc
import subprocess
import sys

import numpy as np
import pytest

from grader.engines.emulator.arrays import address_of, aligned_bytes, aligned_records
from grader.engines.emulator.core.records import EVENT
from grader.engines.emulator.warm_up import warm_up

_PREAMBLE = """
import numba, numpy as np
from grader.engines.emulator.core.jit import compiled

def twice(number):
    return 2 * number

twice = compiled(twice)
"""


def _in_a_compiling_process(code: str) -> None:
    """Run ``code`` in a process that compiles: one that loads machine code from disk has no need of Numba."""
    done = subprocess.run(
        [sys.executable, "-c", _PREAMBLE + code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_part_has_machine_code_only_in_its_callers() -> None:
    _in_a_compiling_process("""
more = compiled(lambda number: twice(number) + 1)
caller = numba.njit(lambda number: more(number) + twice(1))
assert caller(20) == 43
for part in (twice, more):
    (result,) = part.overloads.values()
    assert result.library.get_pointer_to_function(result.fndesc.llvm_func_name) == 0
""")


def test_a_part_is_compiled_once_for_integers_of_every_width() -> None:
    _in_a_compiling_process("""
caller = numba.njit(lambda short, long: twice(short) + twice(long) + twice(5))
assert caller(np.int16(1), np.int64(2)) == 16
assert len(twice.overloads) == 1
""")


@pytest.mark.parametrize("count", [1, 7, 4096])
def test_interpreter_memory_is_aligned_at_the_address_of_numpy(count: int) -> None:
    for array in (aligned_bytes(count), aligned_records(EVENT, count)):
        assert address_of(array) == array.ctypes.data
        assert address_of(array) % 256 == 0
        assert not array.view(np.uint8).any()
    assert address_of(np.zeros(0)) == 0


def test_warming_up_leaves_the_garbage_collector_as_it_was() -> None:
    assert gc.isenabled()
    warm_up()
    assert gc.isenabled()
