"""The parts of Numba that the interpreter's sources use, or substitutes if its machine code is on disk.

A process with precompiled machine code imports these modules for their constants only: nothing in them is compiled,
and Numba is not loaded.
"""

from typing import Any

from grader.engines.emulator.machine_code import PRECOMPILED


class _NoTypes:
    """Substitute for Numba's types, which only compilation uses."""

    def __getattr__(self, name: str) -> None:
        return None


def _unchanged(function: Any) -> Any:
    return function


types: Any
intrinsic: Any
record_type: Any

if PRECOMPILED:
    types, intrinsic, record_type = _NoTypes(), _unchanged, _unchanged
else:
    import numba
    from numba import extending

    types, intrinsic, record_type = numba.types, extending.intrinsic, numba.from_dtype

__all__ = ["intrinsic", "record_type", "types"]
