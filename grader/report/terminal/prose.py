"""Sentences in a terminal: their lines break at spaces and, in Chinese, between characters."""

from typing import Any

from rich.cells import get_character_cell_size
from rich.console import Console
from rich.containers import Lines
from rich.text import Text

_WIDE = 2
"""Cells of a Chinese character."""

_NOT_FIRST = frozenset("，。、；：！？）》」』”’%")  # noqa: RUF001 - marks of Chinese
"""Characters that begin no line: they belong to the one before them (GB/T 15834)."""

_NOT_LAST = frozenset("（《「『“‘")  # noqa: RUF001 - marks of Chinese
"""Characters that end no line."""


class Prose(Text):
    """Text that also breaks between Chinese characters, which ``Text`` breaks only at the terminal's edge."""

    def wrap(self, console: Console, width: int, **options: Any) -> Lines:
        """The lines, none wider than ``width`` cells."""
        pieces = self.divide(breaks(self.plain, width))
        return Text("\n").join(pieces).wrap(console, width, **options)


def breaks(text: str, width: int) -> list[int]:
    """Where lines of at most ``width`` cells end in ``text``; a word that is wider alone stays whole."""
    found: list[int] = []
    start, last, used, since = 0, 0, 0, 0
    for place, character in enumerate(text):
        if character == "\n":
            start, last, used, since = place + 1, place + 1, 0, 0
            continue
        if place > start and _may_break(text, place):
            last, since = place, 0
        cells = get_character_cell_size(character)
        if used + cells > width and last > start and not character.isspace():
            found.append(last)
            start, used = last, since
        used, since = used + cells, since + cells
    return found


def _may_break(text: str, place: int) -> bool:
    """Whether a line may begin at ``place``."""
    before, after = text[place - 1], text[place]
    if after.isspace() or after in _NOT_FIRST or before in _NOT_LAST:
        return False
    return before.isspace() or _WIDE in (get_character_cell_size(before), get_character_cell_size(after))
