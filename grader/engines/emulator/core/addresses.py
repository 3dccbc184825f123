"""Virtual addresses as device code sees them: windows of global memory and the origins of the other spaces."""

WINDOW_BITS = 36
"""Windows are 64 GiB apart. Their contents start in the middle, so that a stray index stays inside the window."""

WINDOWS = 2048
"""Number of windows."""

ARENA_WINDOW = 0x7F0
"""The first of the windows at the addresses where ``cudaMalloc`` allocates."""

ARENA_WINDOWS = 16
"""Number of these windows. One of them holds the arena in which several buffers lie close together."""

ARENA_GRAIN_BITS = 16
"""An arena has a table of window numbers, one for each 64 KiB. Guard zones are at least as long, so that no grain has
bytes of two buffers."""

SHARED_WINDOW = -1
"""Pseudo window number of shared memory."""

LOCAL_WINDOW = -2
"""Pseudo window number of local memory."""

HEAP_WINDOW = 1020
"""The window of the heap of ``malloc``."""

GRID_WINDOW = 1021
"""The window of the workspace in which grid barriers count arrivals."""

GRID_WORKSPACE_BYTES = 64
"""Size of that workspace. It is zeroed before every launch."""

SHARED_ORIGIN = 0x7A << 40
"""Generic address of byte 0 of shared memory."""

LOCAL_ORIGIN = 0x7B << 40
"""Generic address of byte 0 of a thread's local memory."""

FUNCTION_ORIGIN = 0x7C << 40
"""Address of a module's first function. The range is neither readable nor writable."""

FUNCTION_STEP = 16
"""Distance of one function's address from the next."""

ORIGIN_BYTES = 1 << 40
"""Size of the address range that starts at each origin."""
