"""Run a task for several labs or submissions in parallel."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


def parallel_map_unordered(
    task: Callable[[S], T], over: Sequence[S], jobs: int, cancelled: threading.Event
) -> Iterator[T]:
    """Yield the results of ``task`` as they finish; ``jobs`` of them run at a time.

    ``cancelled`` must be the event that the environment's sandbox checks: when one task fails, it stops the others.
    """
    with ThreadPoolExecutor(jobs, thread_name_prefix="task") as executor:
        begun = [executor.submit(task, each) for each in over]
        try:
            for ended in as_completed(begun):
                yield ended.result()
        except BaseException:
            cancelled.set()
            executor.shutdown(wait=False, cancel_futures=True)
            raise
