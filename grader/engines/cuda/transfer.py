"""Copies between host and device, and on the device.

Raises (every function): as ``status.checked``.
"""

from typing import Any

import numpy as np

from grader.engines.cuda.status import checked


def write(cupy: Any, address: int, data: bytes) -> None:
    """Write ``data`` to device address ``address``. Synchronous."""
    if data:
        _copy(cupy, address, np.frombuffer(data, np.uint8).ctypes.data, len(data), "memcpyHostToDevice")


def read(cupy: Any, address: int, size: int) -> bytes:
    """Read ``size`` bytes from device address ``address``."""
    host = np.empty(size, np.uint8)
    if size:
        _copy(cupy, host.ctypes.data, address, size, "memcpyDeviceToHost")
    return host.tobytes()


def copy(cupy: Any, target: int, source: int, size: int) -> None:
    """Copy ``size`` bytes on the device. Asynchronous on the current stream."""
    runtime = cupy.cuda.runtime
    with checked(cupy):
        stream = cupy.cuda.get_current_stream().ptr
        runtime.memcpyAsync(target, source, size, runtime.memcpyDeviceToDevice, stream)


def _copy(cupy: Any, target: int, source: int, size: int, kind: str) -> None:
    runtime = cupy.cuda.runtime
    with checked(cupy):
        runtime.memcpy(target, source, size, getattr(runtime, kind))
