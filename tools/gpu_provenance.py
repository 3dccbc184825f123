"""On what, and with what, a figure was measured."""

import platform
import re
from datetime import UTC, datetime
from pathlib import Path

from cuda.bindings import nvrtc

from grader.engines.cuda.device import load_cupy
from grader.grading.provenance import commit, packages
from grader.model.device import Device
from grader.sandbox.gpu import chosen_uuid

_DRIVER = Path("/proc/driver/nvidia/version")


def provenance(device: Device, root: Path) -> dict[str, object]:
    """Device, driver, CUDA, packages and commit, ready for JSON. ``None`` stands for what could not be found out."""
    cupy = load_cupy()
    _, major, minor = nvrtc.nvrtcVersion()
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(root) or None,
        "device": device.name,
        "arch": device.arch,
        "device_uuid": chosen_uuid() or None,
        "driver": _driver(),
        "cuda_driver_api": _cuda_version(cupy.cuda.runtime.driverGetVersion()),
        "cuda_runtime": _cuda_version(cupy.cuda.runtime.runtimeGetVersion()),
        "nvrtc": f"{major}.{minor}",
        "packages": packages(),
        "python": platform.python_version(),
    }


def _driver() -> str | None:
    if not _DRIVER.is_file():
        return None
    match = re.search(r"\b\d{3}\.\d+(?:\.\d+)?\b", _DRIVER.read_text())
    return match[0] if match else None


def _cuda_version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"
