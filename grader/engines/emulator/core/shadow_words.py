"""Format of shadow words: 64 bits, one access to four bytes of memory."""

STAMP_SHIFT = 35
THREAD_SHIFT = 25
PC_SHIFT = 7
"""A shadow word is ``stamp << 35 | thread << 25 | pc << 7 | flags | bytes``: 28, 10, 18, 3 and 4 bits."""

SHADOW_WRITE = 1 << 4
"""Flag of a shadow word: this access is a write."""

SHADOW_MORE = 1 << 5
"""Flag of a word in a shadow's first plane: the other planes hold readers."""

SHADOW_INITIALISED = 1 << 6
"""Flag of a read in a shadow's first plane: an earlier launch wrote here."""

SHADOW_KEPT = SHADOW_INITIALISED
"""The same flag of a write in the first plane: another plane holds an earlier plain write."""

MAX_STAMP = (1 << 28) - 1
"""The last stamp that fits a shadow word."""

MAX_PC = PC_MASK = (1 << 18) - 1
"""The largest program that fits a shadow word."""

SHADOW_WORD_BYTES = 8
"""Size of a shadow word, which holds one access to four bytes of memory."""

FIRST_READER, SECOND_READER = 1, 2
"""Planes of a shadow behind the first one. Each plane has one word for every four bytes; most need only the first."""

LOCATION_PLANE = 3
"""The plane of ``core.releases``: what was published at an address, and who read that last."""

BYTE_PLANES = 4
"""The first plane for single bytes: three planes for each of bytes 1 to 3. Byte 0 uses the first three of all."""

WORD_SHADOW_PLANES = 4
"""Planes of a shadow of memory that is accessed in whole words."""

BYTE_SHADOW_PLANES = BYTE_PLANES + 9
"""Planes of a shadow that can tell the bytes of a word apart. Only planes in use take physical memory."""
