"""Whose something is: the name of a process that no other process ever has, and whether that one still lives.

What a grader leaves on a machine when it is killed carries such a name, so that the next one can tell it from what a
grader beside it is using. The machine's clock has no part in it, because clocks are set.
"""

import re
from functools import cache
from pathlib import Path

_PROC = Path("/proc")
_BOOT = _PROC / "sys/kernel/random/boot_id"
_NAME = re.compile(r"(?P<place>[0-9a-f]{12}-[0-9]+)-(?P<pid>[0-9]+)-(?P<start>[0-9]+)")
_START_FIELD = 19
"""Of what follows the command's name in ``/proc/PID/stat``: when the process started, in ticks since boot."""


def own_identity() -> str:
    """This process's name: letters of the machine's start, digits and dashes."""
    pid = int((_PROC / "self").readlink().name)
    return f"{_place()}-{pid}-{_start(pid)}"


def is_dead(name: str) -> bool:
    """Whether the process that was called ``name`` has ended.

    False for what is no such name, and for one from another place (a container has numbers of its own): nobody here
    can know.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return False
    return found["place"] == _place() and _start(int(found["pid"])) != found["start"]


def is_of_this_boot(name: str) -> bool:
    """Whether ``name`` was given since this machine was started."""
    found = _NAME.fullmatch(name)
    return found is not None and found["place"].split("-")[0] == _place().split("-")[0]


def is_of_an_earlier_boot(name: str) -> bool:
    """Whether ``name``, given on this machine, is older than its last start: nobody of then lives."""
    found = _NAME.fullmatch(name)
    return found is not None and found["place"].split("-")[0] != _place().split("-")[0]


def _start(pid: int) -> str:
    """When the process ``pid`` started; empty where there is none."""
    try:
        told = (_PROC / str(pid) / "stat").read_text("ascii", "replace")
    except OSError:
        return ""
    return told.rpartition(")")[2].split()[_START_FIELD]


@cache
def _place() -> str:
    """This start of this machine, and the namespace in which its processes are numbered."""
    boot = _BOOT.read_text("ascii").replace("-", "")[:12]
    namespace = re.sub(r"\D", "", (_PROC / "self/ns/pid").readlink().name)
    return f"{boot}-{namespace}"
