"""What is told about the heap of kernels."""

from grader.engines.emulator.core.records import HEAP_WINDOW
from grader.engines.emulator.decode.linker import window_origin
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.places import line_name
from grader.engines.emulator.services.heap import HEAP_BYTES, Allocation


def beyond_allocation(memory: DeviceMemory, address: int, size: int) -> str:
    """Where an access of ``size`` bytes lies that is in the heap but in no allocation."""
    offset = address - window_origin(HEAP_WINDOW)
    allocation = memory.heap.near(offset)
    if allocation is None:
        return "the heap before anything that malloc gave"
    past = offset + size - allocation.start - allocation.size
    return f"{past:,} byte{'' if past == 1 else 's'} past the end of {_what(allocation)}"


def freed_allocation(memory: DeviceMemory, address: int) -> str:
    """Memory that has been freed, and where."""
    allocation = memory.heap.near(address - window_origin(HEAP_WINDOW))
    if allocation is None:
        return "memory that has been freed"
    return f"{_what(allocation)}, which were freed at {line_name(allocation.freed)}"


def exhausted(size: int) -> str:
    """Why ``malloc`` gave null."""
    return f"malloc of {size:,} bytes returned null: the heap of {HEAP_BYTES:,} bytes has no room for them"


def _what(allocation: Allocation) -> str:
    return f"the {allocation.size:,} bytes that malloc gave at {line_name(allocation.made)}"
