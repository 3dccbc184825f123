"""What AddressSanitizer reports about the memory of host code: its kind, its line, and the line of the allocation."""

import re
from collections.abc import Callable, Mapping

from grader.model.diagnostic import DiagnosticKind
from grader.model.location import SourceLocation
from grader.model.reason import reason
from grader.programs.device_state import State
from grader.programs.wire import Call, Reply, Request, Site

_KIND = re.compile(r"AddressSanitizer: (?:attempting )?([\w-]+)")
_ACCESS = re.compile(r"^(READ|WRITE) of size (\d+)", re.MULTILINE)
_FRAME = re.compile(r"^ +#\d+ 0x[0-9a-f]+ +\(.*/program\+0x([0-9a-f]+)\)", re.MULTILINE)
_ALLOCATED = re.compile(r"^(?:previously )?allocated by ", re.MULTILINE)
_FREED = re.compile(r"^freed by ", re.MULTILINE)

_SAID = {
    "heap-buffer-overflow": "host-heap-overflow",
    "stack-buffer-overflow": "host-array-overflow",
    "global-buffer-overflow": "host-array-overflow",
    "heap-use-after-free": "host-heap-freed",
    "stack-use-after-return": "host-stack-gone",
    "stack-use-after-scope": "host-stack-gone",
    "double-free": "host-heap-freed-twice",
    "alloc-dealloc-mismatch": "host-heap-wrong-release",
    "bad-free": "host-heap-bad-release",
}
"""The statement by the kind of a report; any other is named as it is."""


class HostErrors:
    """Takes reports about host code."""

    def __init__(self, state: State) -> None:
        self._findings = state.findings

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {Call.HOST_ERROR: self._note}

    def _note(self, asked: Request) -> Reply:
        text = asked.extra.decode(errors="replace")
        kind, access = _KIND.search(text), _ACCESS.search(text)
        name = kind[1] if kind else "unknown"
        freed, allocated = _FREED.search(text), _ALLOCATED.search(text)
        first_end = min((each.start() for each in (freed, allocated) if each), default=len(text))
        size = int(access[2]) if access else 0
        other = freed or allocated
        said = reason(
            _SAID.get(name, "host-memory-error"),
            kind=name,
            access="write" if access and access[1] == "WRITE" else "read",
            size=size,
            count=size,
        )
        related = self._findings.line(_site(text[other.start() :])) if other else SourceLocation()
        self._findings.error(DiagnosticKind.HOST_MEMORY, _site(text[:first_end]), said, None, related)
        return Reply()


def _site(stack: str) -> Site:
    """The addresses of a stack of the report, innermost first; each is one that a return address follows."""
    return tuple(int(each, 16) + 1 for each in _FRAME.findall(stack.partition("\n\n")[0]))
