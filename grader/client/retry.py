"""Try again after a lost connection: soon at first, then more rarely, and not for ever."""

import time
from collections.abc import Callable
from typing import TypeVar

from grader.client.errors import UnreachableError

_T = TypeVar("_T")

PATIENCE_SECONDS = 600.0
"""How long a server may be away before a command gives up."""

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 10.0


class Patience:
    """The pauses between tries; ``lost`` is called before each with the reason."""

    def __init__(self, lost: Callable[[UnreachableError], None], seconds: float = PATIENCE_SECONDS) -> None:
        self._lost = lost
        self._seconds = seconds
        self.reset()

    def reset(self) -> None:
        """The server answered."""
        self._ends = time.monotonic() + self._seconds
        self._pause = _FIRST_PAUSE

    def wait(self, error: UnreachableError) -> None:
        """Pause after ``error``. Raises: ``error`` when the server has been away for too long."""
        if time.monotonic() + self._pause > self._ends:
            raise error
        self._lost(error)
        time.sleep(self._pause)
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def until_answered(self, request: Callable[[], _T]) -> _T:
        """The answer to ``request``. Raises: ``UnreachableError`` when the server has been away for too long."""
        while True:
            try:
                answer = request()
            except UnreachableError as error:
                self.wait(error)
            else:
                self.reset()
                return answer
