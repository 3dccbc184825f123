"""Which of a unit's binaries a device can run."""

import re

from grader.errors import UserError
from grader.model.module import DeviceUnit

_ARCH = re.compile(r"sm_(\d+)(\d)")
_TARGET = re.compile(r"^\s*\.target\s+sm_(\d+)(\d)\b", re.MULTILINE)


def loadable(unit: DeviceUnit, arch: str) -> bytes:
    """The image of ``unit`` to load on a device of ``arch`` (``sm_90``): its cubin, or else its PTX.

    A cubin runs on its own architecture and on later minor revisions of the same major one; PTX on any later one,
    after the driver has compiled it. Raises: ``UserError`` where there is neither.
    """
    device = _version(arch)
    fitting = {
        _version(name): cubin
        for name, cubin in unit.cubins.items()
        if _version(name)[0] == device[0] and _version(name) <= device
    }
    if fitting:
        return fitting[max(fitting)]
    target = _TARGET.search(unit.ptx)
    if target is not None and (int(target[1]), int(target[2])) <= device:
        return unit.ptx.encode() + b"\0"
    have = ", ".join(unit.cubins) or "no cubin"
    msg = f"{unit.name} was built for {have}, which a device of {arch} cannot run."
    raise UserError(msg, hint=f"Build for {arch}, or use `--engine emulator`.")


def _version(arch: str) -> tuple[int, int]:
    match = _ARCH.match(arch)
    if match is None:
        msg = f"{arch!r} is no architecture; one looks like sm_90"
        raise ValueError(msg)
    return int(match[1]), int(match[2])
