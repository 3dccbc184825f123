"""Live states: one watcher in this process reads the store every now and then, for everybody who listens.

A listener gets the state at once, then every change, and ends with the final one. What a listener of a server that was
restarted missed is in its first state.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Hashable, Mapping
from typing import Generic, Protocol, TypeVar

from grader.course.live_state import LiveState, live_states
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.logs import Event, log


class State(Protocol):
    """What a listener gets. Equal states have an equal ``version``; after a final one comes nothing."""

    @property
    def version(self) -> str:
        """What differs where states differ."""

    @property
    def is_final(self) -> bool:
        """Whether nothing comes after it."""


K = TypeVar("K", bound=Hashable)
S = TypeVar("S", bound=State)

PERIOD_SECONDS = 1.0
"""How often the store is read while there are listeners."""


class LiveWatch(Generic[K, S]):
    """The watcher of one server process, which reads by ``read``. Its methods run in the event loop."""

    def __init__(
        self, read: Callable[[Workspace, Collection[K]], Mapping[K, S]], period: float = PERIOD_SECONDS
    ) -> None:
        self._read = read
        self._period = period
        self._listeners: Counter[K] = Counter()
        self._asked: frozenset[K] = frozenset()
        self._states: Mapping[K, S] = {}
        self._ticked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def listeners(self) -> int:
        """How many listen now."""
        return self._listeners.total()

    async def follow(self, workspace: Workspace, key: K) -> AsyncIterator[S]:
        """Yield the state of ``key`` and every change of it; nothing if it does not exist."""
        self._listeners[key] += 1
        try:
            self._watch(workspace)
            state = (await asyncio.to_thread(self._read, workspace, [key])).get(key)
            version = ""
            while state is not None:
                if state.version != version:
                    yield state
                    version = state.version
                if state.is_final:
                    return
                await self._ticked.wait()
                # One that was not there yet when the store was read keeps its state until the next time.
                state = self._states.get(key, None if key in self._asked else state)
        finally:
            self._listeners[key] -= 1
            if self._listeners[key] <= 0:
                del self._listeners[key]

    def _watch(self, workspace: Workspace) -> None:
        """Start the watcher, unless it runs in this event loop."""
        loop = asyncio.get_running_loop()
        if self._task is None or self._task.done() or self._task.get_loop() is not loop:
            self._ticked = asyncio.Event()
            self._task = loop.create_task(self._run(workspace))

    async def _run(self, workspace: Workspace) -> None:
        while self._listeners:
            await asyncio.sleep(self._period)
            asked = frozenset(self._listeners)
            try:
                self._states = await asyncio.to_thread(self._read, workspace, asked)
            except UserError as error:
                # The store may be back in a second; a listener keeps what it has.
                log(Event.PAGE_FAILED, page="live", error=repr(error), where=__name__)
                continue
            self._asked = asked
            self._ticked.set()
            self._ticked = asyncio.Event()


def read_states(workspace: Workspace, attempts: Collection[int]) -> Mapping[int, LiveState]:
    """The states of ``attempts`` now."""
    with Records(workspace) as records:
        return live_states(records, attempts)
