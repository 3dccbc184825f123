"""Map ``.loc`` and ``.file`` directives to lines of the student's files.

``.file`` directives follow the code, so locations stay numbers until the end of the text. Code inlined from a header
belongs to the line of the student's file that called it.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from grader.engines.emulator.ptx.syntax import Location

_LOC = re.compile(
    r"\.loc\s+(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})"
    r"(?:\s*,\s*function_name\s+[^,]+,\s*inlined_at\s+(\d{1,9})\s+(\d{1,9})\s+(\d{1,9}))?"
)
_FILE = re.compile(r'\.file\s+(\d{1,9})\s+"([^"]*)"')

Numbers = tuple[int, int, int]
"""File number, line, column."""


@dataclass(frozen=True, slots=True, eq=False)
class InlinedLocation:
    """A location and, for inlined code, the location of the call. Instances compare by identity."""

    numbers: Numbers
    caller: "InlinedLocation | None"


class LocationTracker:
    """Follows ``.loc`` directives through the text and records which code was inlined where."""

    def __init__(self) -> None:
        self._latest: dict[Numbers, InlinedLocation] = {}
        self._files: dict[int, str] = {}
        self._resolved: dict[InlinedLocation, Location | None] = {}
        self.current: InlinedLocation | None = None

    def see(self, directive: str) -> None:
        """Process one ``.loc`` or ``.file``. Line 0 has no effect.

        If the caller is inlined too, its ``.loc`` precedes those of the code inlined into it.
        """
        if match := _LOC.match(directive):
            numbers = [int(group) if group else 0 for group in match.groups()]
            here, call = (numbers[0], numbers[1], numbers[2]), (numbers[3], numbers[4], numbers[5])
            if here[1] == 0:
                return
            caller = None
            if call[0] and call != here:
                caller = self._latest.get(call) or InlinedLocation(call, None)
            self.current = self._latest[here] = InlinedLocation(here, caller)
        elif match := _FILE.match(directive):
            self._files[int(match[1])] = match[2]

    def resolve(self, location: InlinedLocation | None, user_files: Collection[str]) -> Location | None:
        """The line of the innermost of ``location`` and its callers that is in one of ``user_files``, else ``None``."""
        passed: list[InlinedLocation] = []
        found: Location | None = None
        while location is not None:
            if location in self._resolved:
                found = self._resolved[location]
                break
            passed.append(location)
            number, line, _column = location.numbers
            name = _user_name(self._files.get(number, ""), user_files)
            if name is not None:
                found = Location(name, line)
                break
            location = location.caller
        self._resolved.update(dict.fromkeys(passed, found))
        return found


def _user_name(path: str, user_files: Collection[str]) -> str | None:
    if path in user_files:
        return path
    for name in user_files:
        if path.endswith("/" + name):
            return name
    return None
