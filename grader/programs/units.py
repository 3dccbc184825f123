"""Translation units: PTX of a program, assembled so that the needs of its kernels are known."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.compile.resources import link
from grader.model.module import KernelResources

ARCH = "sm_75"
"""What kernels are compiled for."""

_NARROW = re.compile(r"\b(?:ld|st|atom|red)\.[\w.:]*\b[bsuf](?:8|16)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One translation unit: its PTX, its own files, and what its kernels need by symbol."""

    ptx: str
    files: tuple[str, ...]
    resources: Mapping[str, KernelResources]

    @property
    def is_narrow(self) -> bool:
        """Whether it accesses memory in single bytes or pairs of bytes."""
        return _NARROW.search(self.ptx) is not None


def assembled(ptx: str, files: Sequence[str]) -> Unit:
    """The unit of ``ptx``; ``files`` are the program's own. Raises: ``BuildFailed`` where it cannot be assembled."""
    return Unit(ptx=ptx, files=tuple(files), resources=link(ptx, ARCH, files).resources)
