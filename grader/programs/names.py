"""The variable that a line of the source assigns an allocation to."""

import re
from collections.abc import Mapping, Sequence

from grader.model.location import SourceLocation
from grader.programs.wire import Site

_ASSIGNED = re.compile(
    r"\bcuda(?:Malloc|HostAlloc)\w*\s*(?:<[^>]*>)?\s*\(\s*(?:\([^()]*\)\s*)?&\s*(?P<name>[A-Za-z_][\w.\[\]>-]*)"
)


class VariableNames:
    """Names by the lines of a program's sources."""

    def __init__(self, sources: Mapping[str, Sequence[str]]) -> None:
        """``sources`` has the lines of each file."""
        self._sources = sources
        self._calls: dict[SourceLocation, list[int]] = {}

    def assigned(self, location: SourceLocation, site: Site) -> str:
        """The variable that the allocation of a call at ``location`` goes to; empty where the line does not say.

        Of several allocations on a line, the calls come in the order of the names.
        """
        lines = self._sources.get(location.file or "", ())
        if location.line is None or not 1 <= location.line <= len(lines):
            return ""
        names = _ASSIGNED.findall(lines[location.line - 1])
        calls = self._calls.setdefault(location, [])
        if site[:1] and site[0] not in calls:
            calls.append(site[0])
        number = calls.index(site[0]) if site else 0
        return names[number] if number < len(names) else ""
