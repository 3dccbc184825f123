"""The kernels of a plan on the device: the image to load, the loaded functions and their launches."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.arguments import flatten
from grader.engines.cooperative import waits_for_grid
from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.status import LaunchFailedError, checked
from grader.engines.launch_limits import launch_problem
from grader.engines.symbols import symbol_in
from grader.errors import UserError
from grader.model.device import Device
from grader.model.diagnostic import DiagnosticKind
from grader.model.module import DeviceModule, DeviceUnit
from grader.model.plan import LaunchPlan, LaunchShape, Transfer
from grader.model.reason import reason
from grader.model.run import Fault
from grader.model.verdict import Verdict

SHARED_WITHOUT_OPT_IN = 48 * 1024
"""Dynamic shared memory beyond this many bytes needs a function attribute, on every device."""

_ARCH = re.compile(r"sm_(\d+)(\d)")
_TARGET = re.compile(r"^\s*\.target\s+sm_(\d+)(\d)\b", re.MULTILINE)
_NOT_FOR_THIS_DRIVER = frozenset({209, 218, 222})
"""CUDA_ERROR_NO_BINARY_FOR_GPU, _INVALID_PTX and _UNSUPPORTED_PTX_VERSION (PTX of a later toolkit)."""


@dataclass(frozen=True, slots=True)
class ReadyLaunch:
    """One launch on the current stream. ``cooperative``: all its blocks must be resident at once."""

    function: Any
    shape: LaunchShape
    arguments: tuple[np.generic | NDArray[np.void], ...]
    cooperative: bool = False

    def start(self) -> None:
        """Queue the kernel; returns before it has run. Raises: CuPy's errors."""
        grid, block = self.shape.grid, self.shape.block
        options = {"enable_cooperative_groups": True} if self.cooperative else {}
        self.function(
            (grid.x, grid.y, grid.z),
            (block.x, block.y, block.z),
            self.arguments,
            shared_mem=self.shape.shared_bytes,
            **options,
        )


def check_launches(device: Device, module: DeviceModule, plan: LaunchPlan) -> None:
    """Check every launch of ``plan`` against the limits of ``device``.

    Raises: ``LaunchFailedError`` for a launch beyond them, ``KeyError`` for a kernel that ``module`` lacks.
    """
    for launch in plan.launches:
        kernel = module.kernel(launch.kernel)
        cooperative = waits_for_grid(module.units[kernel.unit].ptx, kernel.symbol)
        problem = launch_problem(device, launch.shape, kernel.resources, cooperative=cooperative)
        if problem is not None:
            refused = reason("invalid-launch", kernel=kernel.name, problem=problem)
            fault = Fault(verdict=Verdict.CRASHED, reason=refused)
            raise LaunchFailedError(fault, DiagnosticKind.INVALID_LAUNCH, lethal=False)


class LoadedKernels:
    """The kernels of a plan, newly loaded: device variables have their initial values."""

    def __init__(self, cupy: Any, device: Device, module: DeviceModule, plan: LaunchPlan) -> None:
        """Load them. Raises: ``LaunchFailedError``, ``UserError``, ``InfrastructureError`` where that fails."""
        self._plan = plan
        self._cupy = cupy
        self._kernels = [module.kernel(launch.kernel) for launch in plan.launches]
        loaded: dict[int, Any] = {}
        self._functions: list[tuple[Any, bool]] = []
        for launch, kernel in zip(plan.launches, self._kernels, strict=True):
            unit = module.units[kernel.unit]
            if kernel.unit not in loaded:
                loaded[kernel.unit] = _load(cupy, loadable(unit, device.arch), device.arch)
            with checked(cupy):
                function = loaded[kernel.unit].get_function(kernel.symbol)
                _allow_shared(cupy, function, launch.shape.shared_bytes)
            self._functions.append((function, waits_for_grid(unit.ptx, kernel.symbol)))
        self._variables = {
            transfer: self._variable(module, loaded, transfer)
            for transfer in (step.transfer for step in plan.ordered)
            if transfer is not None and transfer.symbol_of
        }

    def ready(self, memory: DeviceMemory) -> list[ReadyLaunch]:
        """The plan's launches with their arguments bound to the buffers in ``memory``."""
        launches = zip(self._plan.launches, self._kernels, self._functions, strict=True)
        return [
            ReadyLaunch(
                function,
                launch.shape,
                tuple(argument.host for argument in flatten(kernel, launch, self._plan, memory.address)),
                cooperative,
            )
            for launch, kernel, (function, cooperative) in launches
        ]

    def address(self, transfer: Transfer, memory: DeviceMemory) -> int:
        """The device address that ``transfer`` writes to: a variable of the loaded code, or a buffer in ``memory``."""
        return self._variables[transfer] if transfer.symbol_of else memory.address(transfer.target)

    def _variable(self, module: DeviceModule, loaded: dict[int, Any], transfer: Transfer) -> int:
        """The address of a variable. Raises: ``ValueError`` if there is none; as ``status.checked``."""
        unit = module.kernel(transfer.symbol_of).unit
        symbol = symbol_in(module.units[unit].ptx, transfer.target)
        if symbol is None:
            msg = f"{transfer.symbol_of} has no variable {transfer.target}"
            raise ValueError(msg)
        with checked(self._cupy):
            return int(loaded[unit].get_global_var(symbol.name))


def _load(cupy: Any, image: bytes, arch: str) -> Any:
    module = cupy.cuda.function.Module()
    try:
        module.load(image)
    except cupy.cuda.driver.CUDADriverError as error:
        if int(error.status) in _NOT_FOR_THIS_DRIVER:
            msg = f"the GPU's driver cannot load this device code ({error})."
            raise UserError(msg, hint=f"Build a cubin for {arch}, or update the driver.") from error
        with checked(cupy):
            raise
    return module


def _allow_shared(cupy: Any, function: Any, size: int) -> None:
    if size > SHARED_WITHOUT_OPT_IN:
        driver = cupy.cuda.driver
        driver.funcSetAttribute(function.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, size)


def loadable(unit: DeviceUnit, arch: str) -> bytes:
    """The image of ``unit`` to load on a device of ``arch`` (``sm_90``): a cubin if one fits, else its PTX.

    A cubin runs on its own architecture and on later minor revisions of the same major one. PTX runs on any later
    architecture; the driver compiles it. Raises: ``UserError`` where neither fits.
    """
    device = _version(arch)
    fitting = {
        _version(name): cubin
        for name, cubin in unit.cubins.items()
        if _version(name)[0] == device[0] and _version(name) <= device
    }
    if fitting:
        return fitting[max(fitting)]
    target = _TARGET.search(unit.ptx)
    if target is not None and (int(target[1]), int(target[2])) <= device:
        return unit.ptx.encode() + b"\0"
    have = ", ".join(unit.cubins) or "no cubin"
    msg = f"{unit.name} was built for {have}, which a device of {arch} cannot run."
    raise UserError(msg, hint=f"Build for {arch}, or use `--engine emulator`.")


def _version(arch: str) -> tuple[int, int]:
    match = _ARCH.match(arch)
    if match is None:
        msg = f"{arch!r} is not an architecture such as sm_90"
        raise ValueError(msg)
    return int(match[1]), int(match[2])
