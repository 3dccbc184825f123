"""System call numbers by name and machine.

``numbers.json`` was read out of libseccomp 2.5.4 by ``python -m tests.sandbox.system_calls``.
"""

from functools import cache
from importlib import resources

import msgspec

AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""How the kernel names a machine's native calling convention in a filter, by ``platform.machine()``."""


def supported_machines() -> frozenset[str]:
    """The machines that have a filter, by ``platform.machine()``."""
    return frozenset(AUDIT_ARCHITECTURES)


@cache
def numbers(machine: str) -> dict[str, int]:
    """The calls that ``machine`` has."""
    return {name: of[machine] for name, of in _table().items() if machine in of}


@cache
def _table() -> dict[str, dict[str, int]]:
    data = resources.files("grader.sandbox.seccomp").joinpath("numbers.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, dict[str, int]])
