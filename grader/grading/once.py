"""Values that are made once, on the first request, and shared by threads."""

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Once(Generic[K, V]):
    """Values by key. One value is made at a time."""

    def __init__(self) -> None:
        self._made: dict[K, V] = {}
        self._lock = threading.Lock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of ``key``, from ``make`` on the first request; what ``make`` raises is not kept."""
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
            return self._made[key]
