"""The options of a worker's container, restricted to what a worker needs."""

from collections.abc import Mapping
from typing import Any

from docker.types import DeviceRequest, LogConfig, Mount, Ulimit

from grader.sandbox.driver import driver_libraries
from grader.sandbox.gpu import VISIBLE_VARIABLE, Gpu
from grader.sandbox.seccomp import docker_profile
from grader.worker.messages import WorkerLimits

NOBODY = "65534:65534"

SCRATCH = "/tmp"  # noqa: S108 - inside the container, private to this worker

_SHARED_MEMORY_BYTES = 64 * 2**20
_NANO = 10**9

_SPARE_PROCESSES = 8
"""Extra processes for the container's first process and the threads of the worker's libraries."""


NVIDIA_RUNTIME = "nvidia"

DRIVER = "/opt/driver"
"""The folder of the driver's libraries in a container, where no runtime mounts them."""


def environment(gpu: Gpu | None = None) -> dict[str, str]:
    """The environment variables besides the image's own."""
    shown = {VISIBLE_VARIABLE: gpu.uuid, "LD_LIBRARY_PATH": DRIVER} if gpu else {}
    return {"HOME": SCRATCH, "TMPDIR": SCRATCH, **shown}


def host_options(limits: WorkerLimits, info: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of ``create_host_config`` for a worker without a GPU; ``info`` is the engine's own report."""
    options: dict[str, Any] = {
        "network_mode": "none",
        "ipc_mode": "private",
        "read_only": True,
        "tmpfs": {SCRATCH: f"rw,nosuid,nodev,noexec,mode=1777,size={limits.scratch_bytes}"},
        "shm_size": _SHARED_MEMORY_BYTES,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges", f"seccomp={docker_profile()}"],
        "nano_cpus": int(min(limits.cpus, float(info.get("NCPU", limits.cpus))) * _NANO),
        "ulimits": [
            _ulimit("core", 0),
            *([_ulimit("fsize", limits.file_bytes)] if limits.file_bytes else []),
            *([_ulimit("nofile", limits.open_files)] if limits.open_files else []),
        ],
        "log_config": LogConfig(type="none"),
        "restart_policy": {"Name": "no"},
        # The init process reaps orphans of student code and passes the worker's exit code on.
        "init": True,
    }
    if limits.processes:
        options["pids_limit"] = limits.processes + _SPARE_PROCESSES
    if limits.memory_bytes:
        options["mem_limit"] = limits.memory_bytes
        if info.get("SwapLimit"):
            # The limit of memory and swap together: no swap.
            options["memswap_limit"] = limits.memory_bytes
    return options


def gpu_options(gpu: Gpu, info: Mapping[str, Any]) -> dict[str, Any]:
    """Further arguments for a worker that holds ``gpu`` and no other GPU.

    Uses the GPU's name in the Container Device Interface where the engine knows it, else its UUID with NVIDIA's
    runtime. Any other engine must be on this machine: it mounts the device nodes and, read-only, driver libraries.
    """
    if (name := _cdi_name(gpu)) in _cdi_names(info):
        return {"device_requests": [DeviceRequest(driver="cdi", device_ids=[name])]}
    if NVIDIA_RUNTIME in info.get("Runtimes", {}):
        request = DeviceRequest(device_ids=[gpu.uuid], capabilities=[["compute", "utility"]])
        return {"device_requests": [request], "runtime": NVIDIA_RUNTIME}
    return {
        "devices": [f"{node}:{node}:rw" for node in gpu.nodes()],
        "mounts": [
            Mount(target=f"{DRIVER}/{name}", source=str(path), type="bind", read_only=True)
            for name, path in sorted(driver_libraries().items())
        ],
    }


def uses_toolkit(gpu: Gpu, info: Mapping[str, Any]) -> bool:
    """Whether this engine uses NVIDIA's Container Toolkit to give ``gpu`` to a container."""
    return _cdi_name(gpu) in _cdi_names(info) or NVIDIA_RUNTIME in info.get("Runtimes", {})


def _cdi_names(info: Mapping[str, Any]) -> set[str]:
    """The CDI devices that the engine reports; an engine before 28.2 reports none."""
    return {
        str(found.get("ID")) for found in info.get("DiscoveredDevices") or () if found.get("Source") == "cdi"
    }


def _cdi_name(gpu: Gpu) -> str:
    """The CDI name by UUID: an index may mean another GPU once some are hidden."""
    return f"nvidia.com/gpu={gpu.uuid}"


def _ulimit(name: str, value: int) -> Ulimit:
    return Ulimit(name=name, soft=value, hard=value)
