"""The order of asynchronous work: streams, events, and what waits for what.

Work runs when something waits for it, as late as CUDA allows, so a missing wait shows each time. Its time on the
modelled clock depends on the engines and on what it waits for, not on when it ran here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from grader.model.program import Lane
from grader.model.reason import Reason
from grader.programs.wire import Pending, Site

LEGACY = 0
"""The handle of the legacy default stream."""

_LEGACY_HANDLE, _PER_THREAD = 1, 2
_FIRST_HANDLE = 16
_NON_BLOCKING = 1


@dataclass(eq=False, slots=True)
class Work:
    """A piece of work. ``perform`` does it and gives its seconds on the modelled clock.

    ``issued``, ``start`` and ``end`` are seconds on that clock. ``lane`` is ``None`` for marks that take no time.
    ``pending`` is the host's memory that it has yet to read or write.
    """

    lane: Lane | None
    name: Reason
    stream: int
    site: Site
    perform: Callable[[], float]
    issued: float
    pending: tuple[Pending, ...] = ()
    moved_bytes: int = 0
    after: tuple["Work", ...] = ()
    is_done: bool = False
    start: float = 0.0
    end: float = 0.0


@dataclass(slots=True)
class _Stream:
    number: int
    is_blocking: bool
    site: Site
    last: Work | None = None
    waits: list[Work] = field(default_factory=list)


@dataclass(slots=True)
class Event:
    """An event, and the mark that recorded it last; ``None`` before that."""

    site: Site
    mark: Work | None = None


class Schedule:
    """All streams, events and work of a program. ``now`` is the host's time on the modelled clock, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self.done: list[Work] = []
        self.streams: dict[int, _Stream] = {
            LEGACY: _Stream(0, is_blocking=True, site=()),
            _PER_THREAD: _Stream(0, is_blocking=True, site=()),
        }
        self.events: dict[int, Event] = {}
        self._waiting: dict[Work, None] = {}
        self._busy: dict[Lane, float] = {}
        self._next_handle = _FIRST_HANDLE
        self._created = 0
        self._polled: set[Work] = set()

    def stream(self, handle: int) -> int | None:
        """The key of a stream; ``None`` for a handle that is none."""
        key = LEGACY if handle == _LEGACY_HANDLE else handle
        return key if key in self.streams else None

    def create_stream(self, flags: int, site: Site) -> int:
        """A new stream's handle."""
        self._created += 1
        handle = self._handle()
        self.streams[handle] = _Stream(self._created, is_blocking=not flags & _NON_BLOCKING, site=site)
        return handle

    def destroy_stream(self, key: int) -> None:
        """Forget a stream; its work still runs."""
        del self.streams[key]

    def create_event(self, site: Site) -> int:
        """A new event's handle."""
        handle = self._handle()
        self.events[handle] = Event(site)
        return handle

    def number(self, key: int) -> int:
        """The number of a stream, in the order of creation."""
        return self.streams[key].number

    def add(self, work: Work, key: int) -> Work:
        """Put ``work`` behind everything that its stream waits for."""
        stream = self.streams[key]
        after = [stream.last, *stream.waits]
        stream.waits.clear()
        if key == LEGACY:
            after += [other.last for other in self.streams.values() if other.is_blocking]
        elif stream.is_blocking:
            after.append(self.streams[LEGACY].last)
        work.after = tuple(dict.fromkeys(each for each in after if each is not None))
        stream.last = work
        self._waiting[work] = None
        return work

    def make_wait(self, key: int, mark: Work) -> None:
        """Let all later work of a stream wait for ``mark``."""
        self.streams[key].waits.append(mark)

    @property
    def pending(self) -> Iterator[Pending]:
        """The host's memory that unfinished work has yet to read or write."""
        return (each for work in self._waiting for each in work.pending)

    def owner(self, address: int, *, is_write: bool) -> Work | None:
        """The unfinished work that the host disturbs by reading or writing its memory at ``address`` now."""
        found = (
            work
            for work in self._waiting
            for each in work.pending
            if each.address <= address < each.address + each.size and (is_write or each.is_written)
        )
        return next(found, None)

    @property
    def unfinished(self) -> tuple[Work, ...]:
        """Work that nothing has waited for yet, without marks."""
        return tuple(work for work in self._waiting if work.lane is not None)

    def wait(self, work: Work | None) -> None:
        """Let the host wait until ``work`` is done."""
        if work is not None:
            self._finish(work)
            self.now = max(self.now, work.end)

    def wait_for_all(self) -> None:
        """Let the host wait for all work."""
        for work in tuple(self._waiting):
            self.wait(work)
        self.now = max(self.now, *self._busy.values(), 0.0)

    def poll(self, work: Work | None) -> bool:
        """Whether ``work`` is done. The first question finds it under way; it is done at the second."""
        if work is None or work.is_done:
            return True
        if work in self._polled:
            self.wait(work)
            return True
        self._polled.add(work)
        return False

    def _handle(self) -> int:
        self._next_handle += 16
        return self._next_handle

    def _finish(self, last: Work) -> None:
        stack = [last]
        while stack:
            work = stack[-1]
            missing = [each for each in work.after if not each.is_done]
            if missing and not work.is_done:
                stack += reversed(missing)
                continue
            stack.pop()
            if not work.is_done:
                self._perform(work)

    def _perform(self, work: Work) -> None:
        work.is_done = True
        self._waiting.pop(work, None)
        seconds = work.perform()
        ready = max((each.end for each in work.after), default=0.0)
        free = 0.0 if work.lane is None else self._busy.get(work.lane, 0.0)
        work.start = max(work.issued, ready, free)
        work.end = work.start + seconds
        work.after = ()
        if work.lane is not None:
            self._busy[work.lane] = work.end
            self.done.append(work)
