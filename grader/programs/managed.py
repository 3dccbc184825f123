"""When host code may use managed memory."""

from grader.model.device import Device

_PAGING = 60
"""The compute capability from which devices move pages of managed memory on demand."""


def has_concurrent_managed_access(device: Device) -> bool:
    """Whether the host may use managed memory while a kernel runs that does not use it.

    Older devices take all managed memory while any kernel runs (CUDA C++ Programming Guide, unified memory).
    """
    return int(device.arch.removeprefix("sm_")) >= _PAGING
