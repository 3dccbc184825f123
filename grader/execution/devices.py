"""The devices of this host: GPUs by UUID, MIG instances by name, and the emulator's cores."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence

from grader.errors import UserError
from grader.model.needs import ComputeDevice

CPU = "cpu"
"""The id of the emulator's device."""

_QUERY = ("--query-gpu=uuid,name,memory.total,compute_cap", "--format=csv,noheader,nounits")
_INSTANCE = re.compile(r"^\s+MIG (?P<profile>\S+)\s+Device\s+\d+: \(UUID: (?P<id>MIG-[^)]+)\)")
_WHOLE = re.compile(r"^GPU \d+: .*\(UUID: (?P<id>GPU-[^)]+)\)")
_PROFILE_MEMORY = re.compile(r"\.(?P<gigabytes>\d+)gb")
_SECONDS = 20.0

Ask = Callable[[Sequence[str]], str]
"""Runs ``nvidia-smi`` with arguments; its output is empty where there is no driver."""


def ask_driver(arguments: Sequence[str]) -> str:
    """The output of ``nvidia-smi``; empty where it is missing or fails."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return ""
    try:
        done = subprocess.run(  # noqa: S603 - the driver's own tool
            [program, *arguments], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def gpu_devices(ask: Ask = ask_driver) -> tuple[ComputeDevice, ...]:
    """The GPUs of this host. A GPU that is divided is there as its instances."""
    whole = {}
    for line in ask(_QUERY).splitlines():
        uuid, name, memory, capability = (word.strip() for word in line.split(","))
        major, minor = capability.split(".")
        whole[uuid] = ComputeDevice(
            id=uuid,
            engine="cuda",
            model=name,
            memory_mib=int(memory),
            capability=(int(major), int(minor)),
        )
    instances = _instances(ask(("-L",)), whole)
    return tuple(device for uuid, gpu in whole.items() for device in instances.get(uuid) or [gpu])


def local_devices(
    imitated: str, engine: str, chosen: Iterable[str], ask: Ask = ask_driver
) -> tuple[ComputeDevice, ...]:
    """The devices of this host for ``engine``, or those of ``chosen``: parts of ids or models, or ``cpu``.

    For the engine ``auto`` they are the GPUs, or the emulator, which imitates the GPU called ``imitated``.
    Raises: ``UserError`` if there is none, or one of ``chosen`` is not there.
    """
    cpu = ComputeDevice(id=CPU, engine="emulator", model=imitated)
    gpus = () if engine == "emulator" else gpu_devices(ask)
    known = (*gpus, *(() if engine == "cuda" else (cpu,)))
    names = tuple(chosen)
    if not names:
        found: tuple[ComputeDevice, ...] = gpus or (() if engine == "cuda" else (cpu,))
        if not found:
            msg = "This host has no GPU that the driver lists."
            raise UserError(msg, hint="Check `nvidia-smi`, or grade with the engine emulator.")
        return found
    picked: dict[str, ComputeDevice] = {}
    for name in names:
        fitting = [each for each in known if each.id.startswith(name) or name.lower() in each.model.lower()]
        if name == CPU or not fitting:
            fitting = [each for each in known if each.id == name]
        if not fitting:
            seen = ", ".join(each.id for each in known)
            msg = f"This host has no device {name!r}."
            raise UserError(msg, hint=f"It has: {seen}.")
        picked |= {each.id: each for each in fitting}
    return tuple(picked.values())


def _instances(listing: str, whole: dict[str, ComputeDevice]) -> dict[str, list[ComputeDevice]]:
    """The MIG instances of each GPU in the output of ``nvidia-smi -L``."""
    found: dict[str, list[ComputeDevice]] = {}
    gpu = None
    for line in listing.splitlines():
        if (match := _WHOLE.match(line)) is not None:
            gpu = whole.get(match["id"])
        elif gpu is not None and (match := _INSTANCE.match(line)) is not None:
            memory = _PROFILE_MEMORY.search(match["profile"])
            found.setdefault(gpu.id, []).append(
                ComputeDevice(
                    id=match["id"],
                    engine="cuda",
                    model=f"{gpu.model} MIG {match['profile']}",
                    memory_mib=1024 * int(memory["gigabytes"]) if memory else 0,
                    capability=gpu.capability,
                )
            )
    return found
