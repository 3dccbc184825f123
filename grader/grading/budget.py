"""The seconds that the workers of one submission may use together."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from grader.model.reason import Reason, reason
from grader.model.report import SecondsUsed
from grader.model.run import Fault
from grader.model.verdict import Verdict
from grader.sandbox.port import LossCause, WorkerLostError


class Budget:
    """Counts the seconds in which workers build and run one submission.

    The start of a worker, the wait for a GPU, the transfer of inputs and work of Grader's own do not count.
    Safe to share between threads: requests at the same time count each, and each may take what is left at its start.
    """

    def __init__(self, limit: float = math.inf) -> None:
        """``limit``: seconds in all."""
        self._limit = limit
        self._used = 0.0
        self._lock = threading.Lock()
        self._refused = False

    @property
    def fault(self) -> Fault | None:
        """Why the submission could not be graded to the end, if it ran out of seconds."""
        return Fault(verdict=Verdict.OVER_THE_LIMIT, reason=self._why()) if self._refused else None

    @property
    def used(self) -> SecondsUsed | None:
        """The seconds used so far and the limit, for the report; ``None`` without a limit."""
        if math.isinf(self._limit):
            return None
        return SecondsUsed(used=round(min(self._used, self._limit), 2), limit=self._limit)

    @contextmanager
    def spend(self, seconds: float) -> Iterator[float]:
        """Count the seconds of the body, a request that may take ``seconds``. Yields: the seconds that it may take.

        Raises: ``WorkerLostError`` if none are left, or if the request ends because they run out.
        """
        granted = self.grant(seconds)
        started = time.monotonic()
        try:
            yield granted
        except WorkerLostError as loss:
            if loss.cause is LossCause.TIMED_OUT and granted < seconds:
                raise self._spent() from loss
            raise
        finally:
            self.count(time.monotonic() - started)

    def grant(self, seconds: float) -> float:
        """The seconds that a request may take which asks for ``seconds``; ``count`` those that it used.

        Raises: ``WorkerLostError`` if none are left.
        """
        left = self._limit - self._used
        if left <= 0:
            raise self._spent()
        return min(seconds, left)

    def count(self, seconds: float) -> None:
        """Count the seconds that a request used."""
        with self._lock:
            self._used += seconds

    def judged(self, fault: Fault | None) -> Fault | None:
        """``fault`` of a finished request; a time-out that the budget caused is ``over the limit``."""
        if fault is None or fault.verdict is not Verdict.TIMED_OUT or self._used < self._limit:
            return fault
        self._refused = True
        return self.fault

    def _spent(self) -> WorkerLostError:
        self._refused = True
        return WorkerLostError(LossCause.OUT_OF_SECONDS, self._why())

    def _why(self) -> Reason:
        return reason("submission-seconds-used", limit=self._limit)
