"""Access to the records at the addresses in a context, without the cost of passing arrays."""

from typing import Any

import numpy as np
from llvmlite import ir

from grader.engines.emulator.core.records import (
    EVENT,
    HITS,
    INSTRUCTION,
    RESIDENT,
    WARP_STATE,
    WINDOW,
)
from grader.engines.emulator.core.sync_records import ACQUISITION, RELEASE, SYNC
from grader.engines.emulator.core.traffic_records import SAMPLE, TRAFFIC
from grader.engines.emulator.isa.emit import Value
from grader.engines.emulator.numba_api import intrinsic, record_type, types


def _view(dtype: np.dtype[Any]) -> Any:
    """A function ``(address, index)`` that gives record ``index`` of the array at ``address``."""
    record = record_type(dtype)
    size = dtype.itemsize

    @intrinsic
    def view(typingctx, address, index):
        def build(context: Any, builder: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
            start = builder.add(args[0], builder.mul(args[1], ir.Constant(ir.IntType(64), size)))
            return builder.inttoptr(start, context.get_value_type(record))

        return record(types.int64, types.int64), build

    return view


instruction_at = _view(INSTRUCTION)
warp_at = _view(WARP_STATE)
resident_at = _view(RESIDENT)
window_at = _view(WINDOW)
event_at = _view(EVENT)
traffic_at = _view(TRAFFIC)
sample_at = _view(SAMPLE)
sync_at = _view(SYNC)
release_at = _view(RELEASE)
acquisition_at = _view(ACQUISITION)
hits_at = _view(HITS)
