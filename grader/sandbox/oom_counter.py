"""The kernel's count of processes killed because memory ran out."""

from pathlib import Path

_COUNTERS = Path("/proc/vmstat")
_NAME = "oom_kill"


def oom_kills() -> int:
    """The number of processes that the kernel has killed for lack of memory; 0 where it does not count them."""
    try:
        lines = _COUNTERS.read_text("ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{_NAME} ")), 0)
