"""Several labs at once, told in their order."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from grader.labs.lab import Lab

T = TypeVar("T")


def each_in_order(
    task: Callable[[Lab], T], labs: Sequence[Lab], jobs: int, cancelled: threading.Event
) -> Iterator[T]:
    """What ``task`` gives for each of ``labs``, in their order, ``jobs`` labs at a time.

    ``cancelled`` must be the event that the bench's sandbox listens to: it ends the others when one fails.
    """
    with ThreadPoolExecutor(jobs, thread_name_prefix="lab") as executor:
        try:
            yield from executor.map(task, labs)
        except BaseException:
            cancelled.set()
            raise
