"""Lines of a Python program, as its interpreter gives them with each call."""

from collections.abc import Sequence

from grader.model.location import SourceLocation
from grader.programs.wire import Site

LINE_BITS = 32
"""A site has the number of a file, from 1 on, above this many bits of the line."""

ARGUMENT = 1 << 63
"""The bit of a word that is no line, but the position of the argument for which a launch calls the driver."""


class PythonLines:
    """The program's lines by sites."""

    def __init__(self, files: Sequence[str]) -> None:
        """``files`` are the names of the program's files, in the order in which the interpreter numbers them."""
        self._files = files

    def location(self, site: Site) -> SourceLocation:
        """The innermost line of the program's own sources at ``site``; without file and line where it has none."""
        for word in site:
            file, line = word >> LINE_BITS, word & ((1 << LINE_BITS) - 1)
            if 1 <= file <= len(self._files):
                return SourceLocation(file=self._files[file - 1], line=line)
        return SourceLocation()

    def is_own(self, site: Site) -> bool:
        """Whether the call has a line of the program."""
        return self.location(site).line is not None


def argument_of(site: Site) -> int | None:
    """The position of the argument that a call copies for a launch; ``None`` for other calls."""
    return next((word & ~ARGUMENT for word in site if word & ARGUMENT), None)
