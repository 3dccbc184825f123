"""Work that a server repeats in the background."""

import threading
from abc import ABC, abstractmethod
from typing import Self


class Rounds(ABC):
    """Context manager: a round every ``period`` seconds, in a thread of its own, while it is open.

    ``at_once``: the first round comes at the start, not after a period.
    """

    def __init__(self, name: str, period: float, *, at_once: bool = False) -> None:
        self._period = period
        self._at_once = at_once
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @abstractmethod
    def round(self) -> None:
        """Do the work once."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        if self._at_once:
            self.round()
        while not self._ends.wait(self._period):
            self.round()
