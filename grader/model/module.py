"""Device code as plain data: PTX as the build sandbox finds it, and what the run sandbox is given in the end."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from grader.model.diagnostic import SourceLocation
from grader.model.kernel import Param
from grader.model.plan import Geometry


class Abi(StrEnum):
    """How a kernel's parameters lie in its ``.param`` space.

    ``c``: one parameter each, an array is a 64-bit address.
    ``numba``: an array of rank r becomes 5 + 2r parameters: meminfo, parent, nitems, itemsize, data,
    r shape entries and r strides in bytes (numba-cuda 0.30; unstable upstream, so its version is pinned).
    """

    C = "c"
    NUMBA = "numba"


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelResources:
    """What ptxas says a kernel needs, statically. Bytes are per thread for spills and local, per block for shared."""

    registers: int
    spill_bytes: int
    local_bytes: int
    shared_bytes: int
    max_threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PtxUnit:
    """One translation unit: its PTX, with ``.loc``.

    ``.file`` names inside the PTX are the names inside the submission, for the student's own files.
    ``max_registers`` caps the registers per thread that the assembler may use, where the student asked for it.
    """

    name: str
    ptx: str
    max_registers: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundKernel:
    """A kernel found in the submission: ``name`` as the lab spells it, ``symbol`` as the PTX does.

    ``unit`` indexes its module's units; ``geometry`` is the student's own launch directive, unevaluated.
    """

    name: str
    symbol: str
    unit: int
    abi: Abi
    geometry: Geometry | None = None
    line: int | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PtxModule:
    """What comes out of a room in which student code ran: text, of which nothing is known yet.

    ``user_files`` are the student's file names.
    """

    units: tuple[PtxUnit, ...]
    kernels: tuple[FoundKernel, ...]
    user_files: tuple[str, ...]

    def kernel(self, name: str) -> FoundKernel:
        """The kernel called ``name`` by the lab. Raises: ``KeyError`` where the module has none."""
        return _named(self.kernels, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceUnit:
    """One translation unit: its PTX and one cubin per architecture, e.g. ``{"sm_75": b"..."}``."""

    name: str
    ptx: str
    cubins: dict[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltKernel(FoundKernel):
    """A kernel as it can be launched: the lab's parameters, and what the assembler says that it needs.

    ``clock_reading``: where it reads a clock, or the number of its launch, if it does.
    """

    params: tuple[Param, ...]
    resources: KernelResources
    clock_reading: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceModule:
    """Everything an engine needs to launch a submission's kernels. ``user_files`` are the student's file names."""

    units: tuple[DeviceUnit, ...]
    kernels: tuple[BuiltKernel, ...]
    user_files: tuple[str, ...]

    def kernel(self, name: str) -> BuiltKernel:
        """The kernel called ``name`` by the lab. Raises: ``KeyError`` where the module has none."""
        return _named(self.kernels, name)


_Kernel = TypeVar("_Kernel", bound=FoundKernel)


def _named(kernels: tuple[_Kernel, ...], name: str) -> _Kernel:
    for kernel in kernels:
        if kernel.name == name:
            return kernel
    raise KeyError(name)
