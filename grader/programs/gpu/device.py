"""The GPU that a program runs on, as the driver describes it."""

import ctypes
from dataclasses import dataclass

from grader.errors import UserError

_DRIVER = "libcuda.so.1"
_MAJOR, _MINOR = 75, 76
_NAME_BYTES = 256
_HINT = (
    "Check that `nvidia-smi` lists a GPU here, or run the program on the emulator, without `--engine cuda`."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuDevice:
    """A GPU: ``arch`` is what compilers call it, such as ``sm_90``."""

    name: str
    arch: str


def gpu_device() -> GpuDevice:
    """The first GPU that programs of this process's environment see; no context is made.

    Raises: ``UserError`` where there is no driver or no GPU.
    """
    try:
        driver = ctypes.CDLL(_DRIVER)
    except OSError:
        msg = "NVIDIA's driver is not installed, and `--engine cuda` runs a program on a GPU."
        raise UserError(msg, hint=_HINT) from None
    device, name = ctypes.c_int(), ctypes.create_string_buffer(_NAME_BYTES)
    capability = [ctypes.c_int(), ctypes.c_int()]
    failed = (
        driver.cuInit(0)
        or driver.cuDeviceGet(ctypes.byref(device), 0)
        or driver.cuDeviceGetName(name, _NAME_BYTES, device)
        or driver.cuDeviceGetAttribute(ctypes.byref(capability[0]), _MAJOR, device)
        or driver.cuDeviceGetAttribute(ctypes.byref(capability[1]), _MINOR, device)
    )
    if failed:
        msg = f"NVIDIA's driver finds no usable GPU (error {failed})."
        raise UserError(msg, hint=_HINT)
    major, minor = (each.value for each in capability)
    return GpuDevice(name=name.value.decode(errors="replace"), arch=f"sm_{major}{minor}")
