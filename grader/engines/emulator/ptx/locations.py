"""From ``.loc`` and ``.file`` to the line a student should look at.

``.file`` comes after the code, so locations stay numbers until the end. Code inlined from a header belongs, for the
student, to the line of their own file that called it.
"""

import re
from collections.abc import Collection

from grader.engines.emulator.ptx.syntax import Location

_LOC = re.compile(
    r"\.loc\s+(\d+)\s+(\d+)\s+(\d+)(?:\s*,\s*function_name\s+[^,]+,\s*inlined_at\s+(\d+)\s+(\d+)\s+(\d+))?"
)
_FILE = re.compile(r'\.file\s+(\d+)\s+"([^"]*)"')

Place = tuple[int, int, int]
"""File number, line, column."""


class LocationTracker:
    """Follows ``.loc`` through the text and remembers who was inlined where."""

    def __init__(self) -> None:
        self._callers: dict[Place, Place] = {}
        self._files: dict[int, str] = {}
        self.current: Place | None = None

    def see(self, directive: str) -> None:
        """Take in one ``.loc`` or ``.file``. Line 0 says nothing and changes nothing."""
        if match := _LOC.match(directive):
            numbers = [int(group) if group else 0 for group in match.groups()]
            place, caller = (numbers[0], numbers[1], numbers[2]), (numbers[3], numbers[4], numbers[5])
            if place[1] == 0:
                return
            if caller[0] and caller != place:
                self._callers[place] = caller
            else:
                self._callers.pop(place, None)
            self.current = place
        elif match := _FILE.match(directive):
            self._files[int(match[1])] = match[2]

    def snapshot(self) -> tuple[Place, ...]:
        """The current place and the places it was inlined into, innermost first."""
        chain: list[Place] = []
        place = self.current
        while place is not None and place not in chain:
            chain.append(place)
            place = self._callers.get(place)
        return tuple(chain)

    def resolve(self, chain: tuple[Place, ...], user_files: Collection[str]) -> Location | None:
        """The innermost place of ``chain`` in one of ``user_files``, else ``None``."""
        for file, line, _column in chain:
            name = _user_name(self._files.get(file, ""), user_files)
            if name is not None:
                return Location(name, line)
        return None


def _user_name(path: str, user_files: Collection[str]) -> str | None:
    if path in user_files:
        return path
    for name in user_files:
        if path.endswith("/" + name):
            return name
    return None
