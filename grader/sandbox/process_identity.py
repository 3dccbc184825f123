"""A unique, lasting name for a process, and a check whether that process still lives.

Scratch folders and containers carry their grader's name, so that the next grader can tell what a killed grader left
behind from what a running grader uses. The name does not depend on the machine's clock, which may be set.
"""

import re
from functools import cache
from pathlib import Path

_PROC = Path("/proc")
_BOOT = _PROC / "sys/kernel/random/boot_id"
_NAME = re.compile(r"(?P<host>[0-9a-f]{12}-[0-9]+)-(?P<pid>[0-9]+)-(?P<start>[0-9]+)")
_START_FIELD = 19
"""Index of the start time, in ticks since boot, after the command name in ``/proc/PID/stat``."""


def own_identity() -> str:
    """This process's name: boot id, PID namespace, pid and start time, joined by dashes."""
    pid = int((_PROC / "self").readlink().name)
    return f"{_host()}-{pid}-{_start(pid)}"


def is_dead(name: str) -> bool:
    """Whether the process with this ``name`` has ended.

    False for other strings, and for a name from another boot or PID namespace (such as a container's), where this is
    unknown.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return False
    return found["host"] == _host() and _start(int(found["pid"])) != found["start"]


def is_of_this_boot(name: str) -> bool:
    """Whether ``name`` is from the current boot of this machine."""
    found = _NAME.fullmatch(name)
    return found is not None and found["host"].split("-")[0] == _host().split("-")[0]


def is_of_an_earlier_boot(name: str) -> bool:
    """Whether ``name``, made on this machine, is from an earlier boot, so that its process has ended."""
    found = _NAME.fullmatch(name)
    return found is not None and found["host"].split("-")[0] != _host().split("-")[0]


def _start(pid: int) -> str:
    """The start time of process ``pid``; empty where there is none."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text("ascii", "replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[_START_FIELD]


@cache
def _host() -> str:
    """The current boot of this machine and this process's PID namespace."""
    boot = _BOOT.read_text("ascii").replace("-", "")[:12]
    namespace = re.sub(r"\D", "", (_PROC / "self/ns/pid").readlink().name)
    return f"{boot}-{namespace}"
