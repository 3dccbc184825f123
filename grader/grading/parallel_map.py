"""Run a task for several labs in parallel."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from grader.labs.lab import Lab

T = TypeVar("T")


def parallel_map_unordered(
    task: Callable[[Lab], T], labs: Sequence[Lab], jobs: int, cancelled: threading.Event
) -> Iterator[T]:
    """Yield the results of ``task`` for ``labs`` as they finish; ``jobs`` labs run at a time.

    ``cancelled`` must be the event that the environment's sandbox checks: when one task fails, it stops the others.
    """
    with ThreadPoolExecutor(jobs, thread_name_prefix="lab") as executor:
        begun = [executor.submit(task, lab) for lab in labs]
        try:
            for ended in as_completed(begun):
                yield ended.result()
        except BaseException:
            cancelled.set()
            executor.shutdown(wait=False, cancel_futures=True)
            raise
