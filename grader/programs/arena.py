"""The memory that the device process shares with the program."""

import fcntl
import mmap
import os

import numpy as np
from numpy.typing import NDArray

STAGE_BYTES = 32 << 20
"""The start of the shared memory, through which copies of pageable memory pass."""


ARENA_BYTES = 16 << 30
"""Size of the memory that is shared with the program. Only touched pages take physical memory."""


_PAGE = 4096


class Arena:
    """The memory that the device process shares with the program: a sealed file that cannot change its size."""

    def __init__(self) -> None:
        self.descriptor = os.memfd_create("grader-arena", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
        os.ftruncate(self.descriptor, ARENA_BYTES)
        fcntl.fcntl(
            self.descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
        )
        self._bytes = np.frombuffer(mmap.mmap(self.descriptor, ARENA_BYTES), np.uint8)
        self._top = STAGE_BYTES

    @property
    def stage(self) -> NDArray[np.uint8]:
        """The bytes through which copies of pageable memory pass."""
        return self._bytes[:STAGE_BYTES]

    def take(self, size: int) -> int | None:
        """The offset of ``size`` new bytes on pages of their own; ``None`` where no room is left."""
        start = self._top
        end = start + -(-max(size, 1) // _PAGE) * _PAGE
        if end > ARENA_BYTES:
            return None
        self._top = end
        return start

    def bytes_at(self, offset: int, size: int) -> NDArray[np.uint8]:
        """The bytes of an allocation."""
        return self._bytes[offset : offset + size]

    def close(self) -> None:
        """Close the file; mappings stay."""
        os.close(self.descriptor)
