"""Access to a real GPU through CuPy, and its description as a ``Device``."""

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.errors import UserError
from grader.model.device import Device

INSTALL = (
    'Install it from the checkout: `pip install --constraint constraints.txt ".[gpu-cuda13]"` '
    "(or `gpu-cuda12` for an older driver)."
)

NO_GPU = "Check that `nvidia-smi` lists a GPU here, or use `--engine emulator`."


@dataclass(frozen=True, slots=True)
class _SmTraits:
    """Properties of an SM that the driver does not report.

    ``l1_kib`` is ``Device.l1_bytes`` in KiB. Sources: CUDA C++ Programming Guide, Occupancy Calculator, tuning guides.
    """

    fp32_lanes: int
    fp64_lanes: int
    l1_kib: int
    issue_slots: int = 4
    warp_granularity: int = 4
    shared_granularity: int = 128


_TRAITS = {
    (6, 0): _SmTraits(64, 32, 24, issue_slots=2, warp_granularity=2, shared_granularity=256),
    (6, 1): _SmTraits(128, 4, 48, shared_granularity=256),
    (7, 0): _SmTraits(64, 32, 128, shared_granularity=256),
    (7, 5): _SmTraits(64, 2, 96, shared_granularity=256),
    (8, 0): _SmTraits(64, 32, 192),
    (8, 6): _SmTraits(128, 2, 128),
    (9, 0): _SmTraits(128, 64, 256),
    (10, 0): _SmTraits(128, 64, 256),
    (12, 0): _SmTraits(128, 2, 128),
}

L2_BYTES_PER_CLOCK_AND_SM = 21
"""Typical of P100 to H200. The driver does not report it; only the cost model uses it, which real GPUs do not need."""

REGISTER_UNIT = 256
LAUNCH_OVERHEAD = 2.5e-6


def load_cupy() -> Any:
    """Import ``cupy``, an optional dependency that takes a second to load, and check that a GPU is usable.

    Raises: ``UserError`` where CuPy or a GPU is missing.
    """
    # Lazy loading of a kernel may wait for running kernels, and so forever behind an endless one.
    os.environ.setdefault("CUDA_MODULE_LOADING", "EAGER")
    try:
        cupy = importlib.import_module("cupy")
    except ImportError as error:
        msg = f"the cuda engine needs CuPy, which cannot be imported ({error})."
        raise UserError(msg, hint=INSTALL) from error
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        msg = f"the cuda engine finds no usable GPU ({error})."
        raise UserError(msg, hint=NO_GPU) from error
    if count == 0:
        msg = "the cuda engine finds no GPU."
        raise UserError(msg, hint=NO_GPU)
    return cupy


def device_from(name: str, capability: tuple[int, int], attribute: Callable[[str], int]) -> Device:
    """A ``Device`` from CUDA's device attributes; ``attribute("WarpSize")`` is ``cudaDevAttrWarpSize``.

    An unlisted capability gets the traits of the nearest older one. Raises: ``ValueError`` below 6.0.
    """
    known = [version for version in _TRAITS if version <= capability]
    if not known:
        msg = f"{name} has compute capability {capability[0]}.{capability[1]}; at least 6.0 is required"
        raise ValueError(msg)
    traits = _TRAITS[max(known)]
    sm_count = attribute("MultiProcessorCount")
    clock = attribute("ClockRate") * 1e3
    memory_clock = attribute("MemoryClockRate") * 1e3
    threads_per_sm = attribute("MaxThreadsPerMultiProcessor")
    warp_size = attribute("WarpSize")
    return Device(
        name=name,
        arch=f"sm_{capability[0]}{capability[1]}",
        sm_count=sm_count,
        clock=clock,
        # Two transfers per clock on a bus; its width is in bits.
        dram_bandwidth=2 * memory_clock * attribute("GlobalMemoryBusWidth") / 8,
        l2_bandwidth=float(L2_BYTES_PER_CLOCK_AND_SM * sm_count * clock),
        l1_bytes=traits.l1_kib * 1024,
        l2_bytes=attribute("L2CacheSize"),
        fp32_lanes_per_sm=traits.fp32_lanes,
        fp64_lanes_per_sm=traits.fp64_lanes,
        issue_slots_per_sm=traits.issue_slots,
        max_threads_per_sm=threads_per_sm,
        max_blocks_per_sm=attribute("MaxBlocksPerMultiprocessor"),
        max_warps_per_sm=threads_per_sm // warp_size,
        max_threads_per_block=attribute("MaxThreadsPerBlock"),
        registers_per_sm=attribute("MaxRegistersPerMultiprocessor"),
        register_granularity=REGISTER_UNIT,
        warp_granularity=traits.warp_granularity,
        shared_bytes_per_sm=attribute("MaxSharedMemoryPerMultiprocessor"),
        shared_bytes_per_block=attribute("MaxSharedMemoryPerBlockOptin"),
        shared_granularity=traits.shared_granularity,
        reserved_shared_per_block=attribute("ReservedSharedMemoryPerBlock"),
        launch_overhead=LAUNCH_OVERHEAD,
        warp_size=warp_size,
    )


def describe(cupy: Any, ordinal: int) -> Device:
    """The ``Device`` of the GPU with this ordinal. Raises: as ``device_from``."""
    runtime = cupy.cuda.runtime

    def attribute(name: str) -> int:
        return int(runtime.deviceGetAttribute(getattr(runtime, f"cudaDevAttr{name}"), ordinal))

    digits = cupy.cuda.Device(ordinal).compute_capability
    name = runtime.getDeviceProperties(ordinal)["name"].decode("utf-8", "replace")
    return device_from(name, (int(digits[:-1]), int(digits[-1])), attribute)
