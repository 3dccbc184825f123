"""Virtual addresses as device code sees them: windows of global memory, and where the other spaces begin."""

WINDOW_BITS = 36
"""Windows start every 64 GiB; its contents start in the middle, so that a stray index stays inside the window."""

WINDOWS = 1024
"""Number of windows."""

SHARED_WINDOW = -1
"""Window number that stands for shared memory."""

LOCAL_WINDOW = -2
"""Window number that stands for local memory."""

HEAP_WINDOW = 1020
"""The window of the heap of ``malloc``."""

GRID_WINDOW = 1021
"""The window of the workspace in which grid barriers count arrivals."""

GRID_WORKSPACE_BYTES = 64
"""Its size; every launch starts with zeros."""

SHARED_ORIGIN = 0x7A << 40
"""Generic address of byte 0 of shared memory."""

LOCAL_ORIGIN = 0x7B << 40
"""Generic address of byte 0 of a thread's local memory."""

FUNCTION_ORIGIN = 0x7C << 40
"""Address of a module's first function; nothing can be read or written there."""

FUNCTION_STEP = 16
"""Distance of one function's address from the next."""

ORIGIN_BYTES = 1 << 40
"""Size of the address range that starts at each origin."""
