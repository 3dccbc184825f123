"""On what, and with what, a figure was measured."""

import importlib.metadata
import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from cuda.bindings import nvrtc

from grader.engines.cuda.cupy_access import load_cupy
from grader.model.device import Device

_PACKAGES = ("cupy-cuda13x", "cupy-cuda12x", "cupy", "cuda-bindings", "numba", "numba-cuda", "numpy")

_DRIVER = Path("/proc/driver/nvidia/version")


def provenance(device: Device, root: Path) -> dict[str, object]:
    """Device, driver, CUDA, packages and commit, ready for JSON. ``None`` stands for what could not be found out."""
    cupy = load_cupy()
    properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    _, major, minor = nvrtc.nvrtcVersion()
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(root),
        "device": device.name,
        "arch": device.arch,
        "device_uuid": properties["uuid"].hex() if "uuid" in properties else None,
        "driver": _driver(),
        "cuda_driver_api": _cuda_version(cupy.cuda.runtime.driverGetVersion()),
        "cuda_runtime": _cuda_version(cupy.cuda.runtime.runtimeGetVersion()),
        "nvrtc": f"{major}.{minor}",
        "packages": {name: version for name in _PACKAGES if (version := _installed(name))},
        "python": platform.python_version(),
    }


def commit(root: Path) -> str | None:
    """The commit that ``GRADER_COMMIT`` names, or else the one checked out in ``root``."""
    if named := os.environ.get("GRADER_COMMIT"):
        return named
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 - the git of whoever runs the tests
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return None
    return done.stdout.strip() or None


def _driver() -> str | None:
    if not _DRIVER.is_file():
        return None
    match = re.search(r"\b\d{3}\.\d+(?:\.\d+)?\b", _DRIVER.read_text())
    return match[0] if match else None


def _cuda_version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
