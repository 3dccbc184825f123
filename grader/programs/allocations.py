"""What a program allocates, and by which function."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from grader.model.location import SourceLocation
from grader.programs.arrays import ArrayShape

DEVICE_BYTES = 8 << 30
"""Memory of the imitated device, whatever its model, so that a program does not fill this machine's."""


class Kind(StrEnum):
    """Where an allocation lies, by the function that releases it."""

    DEVICE = "cudaMalloc"
    ARRAY = "cudaMallocArray"
    PINNED = "cudaMallocHost"
    MANAGED = "cudaMallocManaged"
    VARIABLE = "__device__"

    @property
    def is_managed(self) -> bool:
        """Whether host and device use it without copies."""
        return self is Kind.MANAGED

    @property
    def release(self) -> str:
        """The function that releases it."""
        return _RELEASES.get(self, "cudaFree")


_RELEASES = {Kind.PINNED: "cudaFreeHost", Kind.ARRAY: "cudaFreeArray"}


@dataclass(eq=False, slots=True, kw_only=True)
class Allocation:
    """``size`` bytes at ``address``. ``name`` is the variable that the source assigns it to, where that is known.

    ``freed`` is the line that released it; ``None`` while it is in use. ``shape`` is that of an array.
    ``releasing`` is the line after which nothing may use it, though its stream has yet to release it. ``is_static``: it
    is a variable of the program, which nothing releases.
    """

    kind: Kind
    window: int
    address: int
    size: int
    data: NDArray[np.uint8]
    name: str
    location: SourceLocation
    freed: SourceLocation | None = None
    device: int = 0
    shape: ArrayShape | None = None
    releasing: SourceLocation | None = None
    is_static: bool = False

    @property
    def released(self) -> SourceLocation | None:
        """The line after which the program must not use it any more; ``None`` while it may."""
        return self.freed or self.releasing

    @property
    def end(self) -> int:
        """The address behind it."""
        return self.address + self.size
