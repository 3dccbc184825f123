"""Device code as plain data: PTX from the build sandbox, and the module that the run sandbox gets."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from grader.model.arguments import ArgumentMap, Passed
from grader.model.kernel import Param
from grader.model.location import SourceLocation
from grader.model.plan import Geometry
from grader.model.reason import Reason


class Abi(StrEnum):
    """Layout of a kernel's parameters in its ``.param`` space.

    ``c``: one parameter each, an array is a 64-bit address.
    ``numba``: an array of rank r becomes 5 + 2r parameters: meminfo, parent, nitems, itemsize, data,
    r shape entries and r strides in bytes (numba-cuda 0.30; unstable upstream, so its version is pinned).
    """

    C = "c"
    NUMBA = "numba"


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelResources:
    """Static resources of a kernel, as ptxas reports them. Spill and local bytes are per thread, shared per block."""

    registers: int
    spill_bytes: int
    local_bytes: int
    shared_bytes: int
    max_threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PtxUnit:
    """One translation unit: its PTX, with ``.loc``.

    ``.file`` names inside the PTX are the names inside the submission, for the student's own files.
    ``max_registers`` caps the registers per thread that the assembler may use, if the student sets it.
    """

    name: str
    ptx: str
    max_registers: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOrigin:
    """Where the student's host code launches a kernel with a geometry.

    ``sizes`` are the lab's sizes that host code sets to a number. ``directive`` is the launch directive for the lab's
    own geometry.
    """

    location: SourceLocation
    sizes: dict[str, int] = field(default_factory=dict, hash=False)
    directive: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundKernel:
    """A kernel found in the submission: ``name`` is the lab's name for it, ``symbol`` the PTX's.

    ``unit`` indexes its module's units; ``geometry`` is the student's own launch directive, unevaluated.
    ``arguments`` is ``None`` for a kernel with the lab's parameters in the lab's order.
    ``unit`` indexes its module's units; ``geometry`` is the student's own, unevaluated: from a launch directive, or
    from the launch in host code at ``host_origin``. ``unread_launch`` says that host code launches it in a way that
    cannot be read. ``unset_symbols`` names the variables that it reads and that only host code sets.
    """

    name: str
    symbol: str
    unit: int
    abi: Abi
    geometry: Geometry | None = None
    line: int | None = None
    file: str | None = None
    arguments: ArgumentMap | None = None
    host_origin: HostOrigin | None = None
    unread_launch: Reason | None = None
    unset_symbols: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PtxModule:
    """The result of a process in which a compiler read student code: unverified text.

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


class ProbeKind(StrEnum):
    """By what a kernel could tell an emulator from a device, or one launch from another."""

    MULTIPROCESSOR = "multiprocessor"
    ADDRESS = "address"
    HEAP = "heap"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceProbe:
    """Code that reads which multiprocessor it runs on, compares addresses, or allocates from the device's heap.

    The heap outlives a launch, so addresses and contents of its blocks count launches.
    """

    kind: ProbeKind
    location: SourceLocation


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltKernel(FoundKernel):
    """A launchable kernel: the lab's parameters, and the resources that the assembler reports.

    ``clock_reading``: where the kernel reads a clock or the number of its launch, if it does. ``device_probe``: the
    first code by which it could tell where it runs.
    """

    params: tuple[Param, ...]
    resources: KernelResources
    clock_reading: SourceLocation | None = None
    device_probe: DeviceProbe | None = None

    @property
    def passed(self) -> tuple[Passed, ...]:
        """The arguments in the order of the kernel's own parameters."""
        return (self.arguments or ArgumentMap.identity(self.params)).passed


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
