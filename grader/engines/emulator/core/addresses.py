"""Virtual addresses as device code sees them: windows of global memory, and where the other spaces begin."""

WINDOW_BITS = 36
"""Windows start every 64 GiB; what lies in one starts in its middle, so that a stray index stays inside."""

WINDOWS = 1024
"""Windows that the machine has."""

SHARED_WINDOW = -1
"""What stands for a window number where shared memory is meant."""

LOCAL_WINDOW = -2
"""What stands for a window number where local memory is meant."""

HEAP_WINDOW = 1020
"""The window of what ``malloc`` gives."""

GRID_WINDOW = 1021
"""The window of the workspace that barriers of the whole grid count in."""

GRID_WORKSPACE_BYTES = 64
"""Its size; a launch finds it all zero."""

SHARED_ORIGIN = 0x7A << 40
"""Generic address of byte 0 of shared memory."""

LOCAL_ORIGIN = 0x7B << 40
"""Generic address of byte 0 of a thread's local memory."""

FUNCTION_ORIGIN = 0x7C << 40
"""Address of a module's first function; nothing can be read or written there."""

FUNCTION_STEP = 16
"""Distance of one function's address from the next."""

ORIGIN_BYTES = 1 << 40
"""Generic addresses from either origin that belong to it."""
