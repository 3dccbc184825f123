"""What the runtime says of the imitated device: the values of ``cudaDeviceAttr``, from which it fills the properties.

Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", and what drivers say of GPUs.
What this runtime does not carry out (clusters, sparse arrays, peer processes) has the value 0, as on a device without.
"""

from collections.abc import Mapping

from grader.engines.launch_limits import MAX_BLOCK_Z, MAX_GRID
from grader.model.device import Device
from grader.programs.managed import has_concurrent_managed_access
from grader.programs.memory import DEVICE_BYTES
from grader.programs.textures import ALIGNMENT, PITCH_ALIGNMENT

_WITH_STACKED_MEMORY = frozenset({60, 70, 80, 90, 100})
_STACKED_BUS, _BUS = 4096, 256
"""Bits of the memory bus of devices with and without stacked memory."""

STATIC_SHARED_BYTES = 48 << 10
"""Shared memory of a block that a kernel gets without ``cudaFuncSetAttribute``."""

_PERSISTING = ((90, 0.625), (80, 0.75), (0, 0.0))
"""The part of the L2 cache that may be set aside, by the compute capability from which that holds."""

_WINDOW_BYTES = 134_213_632
_PITCH = 2**31 - 1
_CONSTANT_BYTES = 65536


def device_facts(device: Device) -> str:
    """What ``runtime/attributes.cpp`` reads: the name, the memory in bytes, and each attribute with its value."""
    values = (f"{number}={value}" for number, value in sorted(attributes(device).items()))
    return "|".join((device.name, str(DEVICE_BYTES), *values))


def attributes(device: Device) -> Mapping[int, int]:
    """Values by the numbers of ``cudaDeviceAttr``; the other attributes are 0."""
    capability = int(device.arch.removeprefix("sm_"))
    return _general(device, capability) | _limits(capability)


def _general(device: Device, capability: int) -> dict[int, int]:
    bus_bits = _STACKED_BUS if capability in _WITH_STACKED_MEMORY else _BUS
    persisting = next(part for least, part in _PERSISTING if capability >= least)
    from_pascal = int(has_concurrent_managed_access(device))
    return {
        1: device.max_threads_per_block,
        2: device.max_threads_per_block,
        3: device.max_threads_per_block,
        4: MAX_BLOCK_Z,
        5: MAX_GRID.x,
        6: MAX_GRID.y,
        7: MAX_GRID.z,
        8: min(device.shared_bytes_per_block, STATIC_SHARED_BYTES),
        9: _CONSTANT_BYTES,
        10: device.warp_size,
        11: _PITCH,
        12: device.registers_per_sm,
        13: int(device.clock / 1000),
        14: ALIGNMENT,
        15: 1,  # copies and kernels overlap
        16: device.sm_count,
        19: 1,  # maps memory of the host
        30: ALIGNMENT,
        31: 1,  # several kernels at a time
        33: 1,  # the number on the bus
        36: int(device.dram_bandwidth / (2 * bus_bits / 8) / 1000),
        37: bus_bits,
        38: device.l2_bytes,
        39: device.max_threads_per_sm,
        40: 2,  # engines for copies
        41: 1,  # one address space
        51: PITCH_ALIGNMENT,
        75: capability // 10,
        76: capability % 10,
        78: 1,  # priorities of streams
        79: 1,  # caches global memory in L1
        80: 1,  # caches local memory in L1
        81: device.shared_bytes_per_sm,
        82: device.registers_per_sm,
        83: 1,  # managed memory
        87: device.fp32_lanes_per_sm // device.fp64_lanes_per_sm if device.fp64_lanes_per_sm else 0,
        89: from_pascal,  # managed memory while a kernel runs
        90: from_pascal,  # preempts kernels
        91: 1,  # registered memory at the host's address
        95: from_pascal,  # cooperative launches
        97: device.shared_bytes_per_block,
        99: 1,  # registers memory of the host
        106: device.max_blocks_per_sm,
        108: int(device.l2_bytes * persisting),
        109: _WINDOW_BYTES if persisting else 0,
        111: device.reserved_shared_per_block,
        115: 1,  # pools of memory
        126: 1,  # domains of synchronisation
    }


def _limits(capability: int) -> dict[int, int]:
    """Sizes of textures and surfaces."""
    is_large = capability >= 60  # noqa: PLR2004 - compute capability 6.0
    wide, side, deep = (131072, 32768, 16384) if is_large else (65536, 16384, 4096)
    layers, cubes = 2048, 2046
    widths = dict.fromkeys((27, 28, 42, 45, 46, 52, 53, 55, 61, 63, 64, 66, 67, 73, 74, 77), side)
    depths = dict.fromkeys((24, 25, 26, 58, 59, 60), deep)
    return (
        widths
        | depths
        | {21: wide, 22: wide, 23: 65536, 29: layers, 43: layers, 54: cubes, 56: wide, 57: 65536}
        | {47: deep // 2, 48: deep // 2, 49: 2 * deep, 62: layers, 65: layers, 68: cubes}
        | {69: 1 << (28 if is_large else 27), 70: wide, 71: 65000, 72: 2097120 if is_large else 1048544}
    )
