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

MAX_STAMP = (1 << 28) - 1
"""The last stamp that fits a shadow word."""

MAX_PC = PC_MASK = (1 << 18) - 1
"""The largest program that fits a shadow word."""

SHADOW_WORD_BYTES = 8
"""Size of a shadow word, which holds one access to four bytes of memory."""

SHADOW_PLANES = 3
"""Number of shadow words for the same four bytes, one in each plane. Most need only the first."""
