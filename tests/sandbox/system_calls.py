"""System call numbers from libseccomp: ``python -m tests.sandbox.system_calls`` writes the committed table."""

import ctypes
import ctypes.util
from pathlib import Path

import msgspec

from grader.sandbox.seccomp import numbers

# Architecture tokens from libseccomp's public header.
_TOKENS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_HIGHEST = 1024
"""Greater than every number in use."""


def library() -> ctypes.CDLL | None:
    """Load libseccomp, if it is installed."""
    try:
        found = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return None
    found.seccomp_syscall_resolve_num_arch.restype = ctypes.c_char_p
    return found


def table(source: ctypes.CDLL) -> dict[str, dict[str, int]]:
    """Return the number of every call by name and machine."""
    known: dict[str, dict[str, int]] = {}
    for machine, token in _TOKENS.items():
        for number in range(_HIGHEST):
            name = source.seccomp_syscall_resolve_num_arch(ctypes.c_uint32(token), number)
            if name is not None:
                known.setdefault(name.decode(), {})[machine] = number
    return known


def main() -> None:
    """Write the table, one call per line."""
    source = library()
    if source is None:
        msg = "libseccomp.so.2 is not installed"
        raise SystemExit(msg)
    lines = [
        f"{msgspec.json.encode(name).decode()}: {msgspec.json.encode(of).decode()}"
        for name, of in sorted(table(source).items())
    ]
    Path(numbers.__file__).with_name("numbers.json").write_text(
        "{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
