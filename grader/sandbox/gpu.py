"""The GPU that a run worker gets, and its device nodes."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UserError

VISIBLE_VARIABLE = "CUDA_VISIBLE_DEVICES"
"""Environment variable that chooses a GPU by its index or its UUID; the first entry counts."""

_INSTANCE = "MIG-"
"""How the name of a MIG instance begins."""

_LISTED = Path("/proc/driver/nvidia/gpus")
_SHARED_NODES = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools")


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU as the driver lists it: ``minor`` is the number in its node's name."""

    uuid: str
    minor: int

    def nodes(self, devices: Path = Path("/dev")) -> list[Path]:
        """Its own device node and the driver's shared ones, as far as they exist; no other GPU's."""
        names = [*_SHARED_NODES, f"nvidia{self.minor}"]
        return [devices / name for name in names if (devices / name).exists()]


def chosen_gpu(environment: Mapping[str, str] = os.environ, listed: Path = _LISTED) -> Gpu:
    """The GPU that ``CUDA_VISIBLE_DEVICES`` names, or the first. Raises: ``UserError`` where there is none."""
    known = gpus(listed)
    if not known:
        msg = "the NVIDIA driver lists no GPU on this machine"
        raise UserError(msg, hint="check what `nvidia-smi` says, or grade on the emulator")
    wanted = _wanted(environment)
    if wanted.isdecimal() or not wanted:
        found = known[int(wanted or 0) :][:1]
    else:
        found = [gpu for gpu in known if gpu.uuid.startswith(wanted)]
    if len(found) != 1:
        seen = ", ".join(gpu.uuid for gpu in known)
        named = f"{VISIBLE_VARIABLE}={wanted!r}" if wanted else "no choice"
        msg = f"one GPU must be chosen; {named} does not choose one of: {seen}"
        raise UserError(msg, hint=f"set {VISIBLE_VARIABLE} to the number or the UUID of one whole GPU")
    return found[0]


def _wanted(environment: Mapping[str, str]) -> str:
    return environment.get(VISIBLE_VARIABLE, "").split(",")[0].strip()


def chosen_uuid() -> str:
    """The UUID of the chosen GPU, or the name of the chosen MIG instance, which is a device of its own.

    Empty where the driver lists no GPU, as under WSL.
    """
    wanted = _wanted(os.environ)
    if wanted.startswith(_INSTANCE):
        return wanted
    try:
        return chosen_gpu().uuid
    except UserError:
        return ""


def gpus(listed: Path = _LISTED) -> list[Gpu]:
    """The GPUs of this machine in PCI bus order, which is nvidia-smi's order but not CUDA's default."""
    if not listed.is_dir():
        return []
    texts = [(folder / "information").read_text("utf-8") for folder in sorted(listed.iterdir())]
    return [Gpu(uuid=_field("GPU UUID", text), minor=int(_field("Device Minor", text))) for text in texts]


def _field(name: str, text: str) -> str:
    found = re.search(rf"^{name}:\s*(\S+)\s*$", text, re.MULTILINE)
    if found is None:
        msg = f"the NVIDIA driver does not report the {name} of a GPU"
        raise UserError(msg, hint="update the driver, or grade on the emulator")
    return found[1]
