"""How far an attempt is: a worker process says which stage it enters, and its executor reads it between replies."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import msgspec

from grader.model.stage import Stage

_START = b'{"stage":'


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The attempt at a job has entered ``stage``."""

    stage: Stage
    job: int
    attempt: int

    def encode(self) -> bytes:
        """The message as JSON; no ``Reply`` begins as it does."""
        return msgspec.json.encode(self)

    @classmethod
    def decode(cls, line: bytes) -> Self | None:
        """The message in ``line``; ``None`` if it is another one."""
        if not line.startswith(_START):
            return None
        try:
            return msgspec.json.decode(line, type=cls)
        except msgspec.DecodeError:
            return None


class ProgressListeners:
    """Who hears of the attempts of this process."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Progress], None]] = []

    def add(self, listener: Callable[[Progress], None]) -> None:
        """Call ``listener`` whenever an attempt enters a stage, from the thread that grades it."""
        self._listeners.append(listener)

    def entered(self, job: int, attempt: int, stage: Stage) -> None:
        """Notify every listener."""
        for listener in self._listeners:
            listener(Progress(stage=stage, job=job, attempt=attempt))


LISTENERS = ProgressListeners()
"""Those of this process; without one, no listener is notified."""
