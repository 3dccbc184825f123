"""What the runtime says of the imitated device: the values of ``cudaDeviceAttr``, from which it fills the properties.

Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", and what drivers say of GPUs.
What this runtime does not carry out (clusters, sparse arrays, peer processes) has the value 0, as on a device without.
"""

from collections.abc import Mapping

from grader.engines.launch_limits import MAX_BLOCK_Z, MAX_GRID
from grader.model.device import Device
from grader.programs.allocations import DEVICE_BYTES
from grader.programs.attribute_numbers import Attribute
from grader.programs.managed import has_concurrent_managed_access
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
    values = (f"{int(number)}={value}" for number, value in sorted(attributes(device).items()))
    return "|".join((device.name, str(DEVICE_BYTES), *values))


def attributes(device: Device) -> Mapping[Attribute, int]:
    """Values of the attributes that are not 0."""
    capability = int(device.arch.removeprefix("sm_"))
    return _general(device, capability) | _limits(capability)


def _general(device: Device, capability: int) -> dict[Attribute, int]:
    bus_bits = _STACKED_BUS if capability in _WITH_STACKED_MEMORY else _BUS
    persisting = next(part for least, part in _PERSISTING if capability >= least)
    from_pascal = int(has_concurrent_managed_access(device))
    return {
        Attribute.MAX_THREADS_PER_BLOCK: device.max_threads_per_block,
        Attribute.MAX_BLOCK_DIM_X: device.max_threads_per_block,
        Attribute.MAX_BLOCK_DIM_Y: device.max_threads_per_block,
        Attribute.MAX_BLOCK_DIM_Z: MAX_BLOCK_Z,
        Attribute.MAX_GRID_DIM_X: MAX_GRID.x,
        Attribute.MAX_GRID_DIM_Y: MAX_GRID.y,
        Attribute.MAX_GRID_DIM_Z: MAX_GRID.z,
        Attribute.MAX_SHARED_MEMORY_PER_BLOCK: min(device.shared_bytes_per_block, STATIC_SHARED_BYTES),
        Attribute.TOTAL_CONSTANT_MEMORY: _CONSTANT_BYTES,
        Attribute.WARP_SIZE: device.warp_size,
        Attribute.MAX_PITCH: _PITCH,
        Attribute.MAX_REGISTERS_PER_BLOCK: device.registers_per_sm,
        Attribute.CLOCK_RATE: int(device.clock / 1000),
        Attribute.TEXTURE_ALIGNMENT: ALIGNMENT,
        Attribute.GPU_OVERLAP: 1,
        Attribute.MULTI_PROCESSOR_COUNT: device.sm_count,
        Attribute.CAN_MAP_HOST_MEMORY: 1,
        Attribute.SURFACE_ALIGNMENT: ALIGNMENT,
        Attribute.CONCURRENT_KERNELS: 1,
        Attribute.PCI_BUS_ID: 1,
        Attribute.MEMORY_CLOCK_RATE: int(device.dram_bandwidth / (2 * bus_bits / 8) / 1000),
        Attribute.GLOBAL_MEMORY_BUS_WIDTH: bus_bits,
        Attribute.L2_CACHE_SIZE: device.l2_bytes,
        Attribute.MAX_THREADS_PER_MULTI_PROCESSOR: device.max_threads_per_sm,
        Attribute.ASYNC_ENGINE_COUNT: 2,
        Attribute.UNIFIED_ADDRESSING: 1,
        Attribute.TEXTURE_PITCH_ALIGNMENT: PITCH_ALIGNMENT,
        Attribute.COMPUTE_CAPABILITY_MAJOR: capability // 10,
        Attribute.COMPUTE_CAPABILITY_MINOR: capability % 10,
        Attribute.STREAM_PRIORITIES_SUPPORTED: 1,
        Attribute.GLOBAL_L1_CACHE_SUPPORTED: 1,
        Attribute.LOCAL_L1_CACHE_SUPPORTED: 1,
        Attribute.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: device.shared_bytes_per_sm,
        Attribute.MAX_REGISTERS_PER_MULTIPROCESSOR: device.registers_per_sm,
        Attribute.MANAGED_MEMORY: 1,
        Attribute.SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO: device.fp32_lanes_per_sm // device.fp64_lanes_per_sm
        if device.fp64_lanes_per_sm
        else 0,
        Attribute.CONCURRENT_MANAGED_ACCESS: from_pascal,
        Attribute.COMPUTE_PREEMPTION_SUPPORTED: from_pascal,
        Attribute.CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM: 1,
        Attribute.COOPERATIVE_LAUNCH: from_pascal,
        Attribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: device.shared_bytes_per_block,
        Attribute.HOST_REGISTER_SUPPORTED: 1,
        Attribute.MAX_BLOCKS_PER_MULTIPROCESSOR: device.max_blocks_per_sm,
        Attribute.MAX_PERSISTING_L2_CACHE_SIZE: int(device.l2_bytes * persisting),
        Attribute.MAX_ACCESS_POLICY_WINDOW_SIZE: _WINDOW_BYTES if persisting else 0,
        Attribute.RESERVED_SHARED_MEMORY_PER_BLOCK: device.reserved_shared_per_block,
        Attribute.MEMORY_POOLS_SUPPORTED: 1,
        Attribute.MEM_SYNC_DOMAIN_COUNT: 1,
    }


def _limits(capability: int) -> dict[Attribute, int]:
    """Sizes of textures and surfaces."""
    is_large = capability >= 60  # noqa: PLR2004 - compute capability 6.0
    wide, side, deep = (131072, 32768, 16384) if is_large else (65536, 16384, 4096)
    layers, cubes = 2048, 2046
    widths = dict.fromkeys(
        (
            Attribute.MAX_TEXTURE_2D_LAYERED_WIDTH,
            Attribute.MAX_TEXTURE_2D_LAYERED_HEIGHT,
            Attribute.MAX_TEXTURE_1D_LAYERED_WIDTH,
            Attribute.MAX_TEXTURE_2D_GATHER_WIDTH,
            Attribute.MAX_TEXTURE_2D_GATHER_HEIGHT,
            Attribute.MAX_TEXTURE_CUBEMAP_WIDTH,
            Attribute.MAX_TEXTURE_CUBEMAP_LAYERED_WIDTH,
            Attribute.MAX_SURFACE_1D_WIDTH,
            Attribute.MAX_SURFACE_1D_LAYERED_WIDTH,
            Attribute.MAX_SURFACE_2D_LAYERED_WIDTH,
            Attribute.MAX_SURFACE_2D_LAYERED_HEIGHT,
            Attribute.MAX_SURFACE_CUBEMAP_WIDTH,
            Attribute.MAX_SURFACE_CUBEMAP_LAYERED_WIDTH,
            Attribute.MAX_TEXTURE_2D_MIPMAPPED_WIDTH,
            Attribute.MAX_TEXTURE_2D_MIPMAPPED_HEIGHT,
            Attribute.MAX_TEXTURE_1D_MIPMAPPED_WIDTH,
        ),
        side,
    )
    depths = dict.fromkeys(
        (
            Attribute.MAX_TEXTURE_3D_WIDTH,
            Attribute.MAX_TEXTURE_3D_HEIGHT,
            Attribute.MAX_TEXTURE_3D_DEPTH,
            Attribute.MAX_SURFACE_3D_WIDTH,
            Attribute.MAX_SURFACE_3D_HEIGHT,
            Attribute.MAX_SURFACE_3D_DEPTH,
        ),
        deep,
    )
    return (
        widths
        | depths
        | {
            Attribute.MAX_TEXTURE_1D_WIDTH: wide,
            Attribute.MAX_TEXTURE_2D_WIDTH: wide,
            Attribute.MAX_TEXTURE_2D_HEIGHT: 65536,
            Attribute.MAX_TEXTURE_2D_LAYERED_LAYERS: layers,
            Attribute.MAX_TEXTURE_1D_LAYERED_LAYERS: layers,
            Attribute.MAX_TEXTURE_CUBEMAP_LAYERED_LAYERS: cubes,
            Attribute.MAX_SURFACE_2D_WIDTH: wide,
            Attribute.MAX_SURFACE_2D_HEIGHT: 65536,
        }
        | {
            Attribute.MAX_TEXTURE_3D_WIDTH_ALT: deep // 2,
            Attribute.MAX_TEXTURE_3D_HEIGHT_ALT: deep // 2,
            Attribute.MAX_TEXTURE_3D_DEPTH_ALT: 2 * deep,
            Attribute.MAX_SURFACE_1D_LAYERED_LAYERS: layers,
            Attribute.MAX_SURFACE_2D_LAYERED_LAYERS: layers,
            Attribute.MAX_SURFACE_CUBEMAP_LAYERED_LAYERS: cubes,
        }
        | {
            Attribute.MAX_TEXTURE_1D_LINEAR_WIDTH: 1 << (28 if is_large else 27),
            Attribute.MAX_TEXTURE_2D_LINEAR_WIDTH: wide,
            Attribute.MAX_TEXTURE_2D_LINEAR_HEIGHT: 65000,
            Attribute.MAX_TEXTURE_2D_LINEAR_PITCH: 2097120 if is_large else 1048544,
        }
    )
