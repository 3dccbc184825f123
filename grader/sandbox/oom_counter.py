"""Whether the kernel ended something because memory ran out, whosever that was."""

from pathlib import Path

_COUNTERS = Path("/proc/vmstat")
_NAME = "oom_kill"


def oom_kills() -> int:
    """How many processes of this machine the kernel has ended for want of memory; 0 where it does not count them."""
    try:
        lines = _COUNTERS.read_text("ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{_NAME} ")), 0)
