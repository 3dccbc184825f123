"""Standard output and error that survive a reader who leaves, a terminal that is closed, and a full disk."""

import contextlib
import errno
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO, cast

from grader.errors import UserError

_GONE = frozenset({errno.EPIPE, errno.EIO})
"""The reader of the pipe has ended, or the terminal is closed."""


def protect() -> None:
    """Replace ``sys.stdout`` and ``sys.stderr``, where there are such, by protected streams."""
    if sys.stdout is not None:
        sys.stdout = cast("TextIO", ProtectedStream(sys.stdout, "Standard output"))
    if sys.stderr is not None:
        sys.stderr = cast("TextIO", ProtectedStream(sys.stderr, ""))


class ProtectedStream:
    """A text stream. Once nobody can read it, everything written to it is dropped.

    So a command finishes, and its exit code says what it did. Any other failure to write results is an error; any
    other failure to write messages is not.
    """

    def __init__(self, stream: TextIO, label: str) -> None:
        """``label`` stands in messages; it is empty if every failure is dropped."""
        self._stream = stream
        self._label = label

    def write(self, text: str) -> int:
        """Write ``text``. Raises: ``UserError`` if results cannot be written."""
        self._try(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        """Flush. Raises: ``UserError`` if results cannot be written."""
        self._try(self._stream.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _try(self, action: Callable[[], object]) -> None:
        try:
            action()
        except OSError as error:
            self._discard()
            if self._label and error.errno not in _GONE:
                msg = f"{self._label} cannot be written: {error.strerror}."
                raise UserError(msg, hint="Make room, or send the output elsewhere.") from error

    def _discard(self) -> None:
        """Connect the file to nothing, so that what is still in the buffer is no error at the exit."""
        with contextlib.suppress(OSError, ValueError):
            nothing = os.open(os.devnull, os.O_WRONLY)
            try:
                os.dup2(nothing, self._stream.fileno())
            finally:
                os.close(nothing)
