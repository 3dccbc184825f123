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
        """Do the work once. What it raises goes to ``failed``."""

    @abstractmethod
    def failed(self, error: Exception) -> None:
        """Log that a round failed; the next one comes all the same."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        if self._at_once:
            self._guarded()
        while not self._ends.wait(self._period):
            self._guarded()

    def _guarded(self) -> None:
        try:
            self.round()
        except Exception as error:  # noqa: BLE001 - a round that fails must not be the last one
            self.failed(error)
