r"""The line of each key of a TOML text, which the standard parser does not give.

The text must already have been accepted by ``tomllib`` (with ``\n`` line ends): this reader finds structure
and checks nothing.
"""

import bisect
import re
import tomllib
from itertools import accumulate

KeyPath = tuple[str | int, ...]
"""Keys and array indices from the root to a value."""

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")'
    r"|'''.*?'{3,5}(?!')"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_ATOM = re.compile(r"[^,\]}#\n]+")
"""A number, boolean or date: whatever ends at the next delimiter."""


def key_lines(source: str) -> dict[KeyPath, int]:
    """The 1-based line of every key, table header and array element, by its path."""
    return _Reader(source).read()


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._line_starts = [0, *accumulate(len(line) + 1 for line in source.split("\n"))]
        self._lines: dict[KeyPath, int] = {}
        self._tables: dict[KeyPath, int] = {}

    def read(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        self._skip_blank()
        while self._at < len(self._source):
            if self._peek("["):
                table = self._header()
            else:
                self._pair(table)
            self._skip_blank()
        return self._lines

    def _header(self) -> KeyPath:
        brackets = 2 if self._peek("[[") else 1
        self._at += brackets
        path: KeyPath = ()
        for key in self._keys():
            path = (*path, key)
            self._mark(path)
            if path in self._tables:
                path = (*path, self._tables[path])
        self._at += brackets
        if brackets == 1:
            return path
        # Each [[header]] opens the next element of its array.
        array = path[:-1] if isinstance(path[-1], int) else path
        self._tables[array] = self._tables.get(array, -1) + 1
        path = (*array, self._tables[array])
        self._mark(path)
        return path

    def _pair(self, table: KeyPath) -> None:
        path = table
        for key in self._keys():
            path = (*path, key)
            self._mark(path)
        self._at += 1  # the equals sign
        self._value(path)

    def _keys(self) -> list[str]:
        keys = []
        while True:
            self._skip_blank()
            if bare := _BARE_KEY.match(self._source, self._at):
                keys.append(bare.group())
                self._at = bare.end()
            else:
                keys.append(self._quoted_key())
            self._skip_blank()
            if not self._peek("."):
                return keys
            self._at += 1

    def _quoted_key(self) -> str:
        start = self._at
        self._skip(_STRING)
        (key,) = tomllib.loads(f"{self._source[start : self._at]} = 0")
        return key

    def _value(self, path: KeyPath) -> None:
        self._skip_blank()
        if self._peek("["):
            self._items(path, "]")
        elif self._peek("{"):
            self._items(path, "}")
        elif self._peek('"') or self._peek("'"):
            self._skip(_STRING)
        else:
            self._skip(_ATOM)

    def _items(self, path: KeyPath, end: str) -> None:
        self._at += 1
        index = 0
        self._skip_blank()
        while not self._peek(end):
            if end == "]":
                self._mark((*path, index))
                self._value((*path, index))
                index += 1
            else:
                self._pair(path)
            self._skip_blank()
            if self._peek(","):
                self._at += 1
                self._skip_blank()
        self._at += 1

    def _mark(self, path: KeyPath) -> None:
        self._lines.setdefault(path, bisect.bisect_right(self._line_starts, self._at))

    def _peek(self, token: str) -> bool:
        return self._source.startswith(token, self._at)

    def _skip_blank(self) -> None:
        self._skip(_BLANK)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self._source, self._at)
        if match is None:
            msg = f"not TOML at character {self._at}"
            raise ValueError(msg)
        self._at = match.end()
