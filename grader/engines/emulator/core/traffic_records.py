"""Memory layout of what the interpreter counts: traffic by instruction, and accesses kept in full."""

import numpy as np

TRAFFIC = np.dtype(
    [
        ("requests", "i8"),
        ("cache_lines", "i8"),  # 128-byte lines of global memory
        ("transactions", "i8"),
        ("ideal", "i8"),
        ("shared", "i8"),  # 1: the instruction accessed shared memory
        ("useful", "i8"),  # bytes that lanes received or wrote; of global memory at most those that moved
        ("repeated", "i8"),  # of these, bytes of global memory that several lanes received of one word
        ("flow", "i8"),  # a ``Flow``
        ("array", "i8"),  # the first access: its window, or the number of its shared array from 1
        ("exchanged", "i8"),  # shared stores: bytes that another thread has read
        ("passes", "i8"),  # atomics: the most lanes at one address, summed
        ("divergences", "i8"),  # branches: executions that made lanes diverge
        ("samples", "i8"),  # accesses recorded in full
        ("costly_samples", "i8"),  # those of them above the ideal cost
        ("seen", "i8"),  # ``transactions`` at the last check for a sample
        ("seen_ideal", "i8"),
    ],
    align=True,
)
"""Cost of one memory instruction or branch, summed over a launch."""

SAMPLE = np.dtype(
    [
        ("pc", "i8"),
        ("size", "i8"),  # bytes of one lane's access
        ("lanes", "i8"),
        ("cost", "i8"),  # sectors or wavefronts
        ("addresses", "i8", (32,)),
    ],
    align=True,
)
"""One access of a warp to global or shared memory."""

MAX_SAMPLES = 1024
"""Most accesses that a launch records."""

ATOMIC_WORDS = 4096
"""Words of global memory for which atomics are counted; a power of two. Words further apart may share a count."""
