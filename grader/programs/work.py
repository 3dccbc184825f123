"""The order of asynchronous work: streams, events, and what waits for what.

Work runs when something waits for it, as late as CUDA allows, so a missing wait shows each time. Its time on the
modelled clock depends on the engines and on what it waits for, not on when it ran here.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from grader.engines.touched import Touched
from grader.model.program import Lane
from grader.model.reason import Reason
from grader.programs.clocks import Clock, joined
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
    ``pending`` is the host's memory that it has yet to read or write. ``touched`` says, once it is done, which bytes it
    used. ``clock`` is what it waits for, itself included: positions by stream. ``issue`` numbers all work.
    ``has_peers``: it may run beside work that nothing orders it with. ``captured`` says what of a graph stands for it;
    it never runs itself then. ``is_of_graph``: the launch of a graph made it.
    ``is_pinned``: it copies pinned memory.
    """

    lane: Lane | None
    name: Reason
    stream: int
    site: Site
    perform: Callable[[], float]
    issued: float
    pending: tuple[Pending, ...] = ()
    moved_bytes: int = 0
    touched: Callable[[], Sequence[Touched]] = tuple
    is_pinned: bool = False
    after: tuple["Work", ...] = ()
    key: int = LEGACY
    position: int = 0
    issue: int = 0
    clock: Clock = field(default_factory=dict)
    has_peers: bool = False
    captured: "Captured | None" = None
    is_of_graph: bool = False
    is_done: bool = False
    start: float = 0.0
    end: float = 0.0

    def last_touched(self) -> Sequence[Touched]:
        """What ``touched`` says now: a graph performs one description several times."""
        return self.touched()

    def is_sure_of(self, address: int, *, is_write: bool) -> bool:
        """Whether it is known before it runs that the host disturbs it by reading or writing at ``address``."""
        return any(
            each.is_sure and each.covers(address) and (is_write or each.is_written) for each in self.pending
        )

    def is_ordered_before(self, clock: Clock) -> bool:
        """Whether whatever has ``clock`` waits for this work."""
        return clock.get(self.key, 0) >= self.position


@dataclass(slots=True)
class _Stream:
    """A stream. Work from position ``alone_until`` on may have peers in other streams."""

    number: int
    is_blocking: bool
    site: Site
    last: Work | None = None
    waits: list[Work] = field(default_factory=list)
    position: int = 0
    alone_until: int | None = None


@dataclass(slots=True)
class Event:
    """An event, and the mark that recorded it last; ``None`` before that."""

    site: Site
    mark: Work | None = None


class Recorder(Protocol):
    """Takes work that is not to run now. ``site`` is where it began."""

    site: Site

    def record(self, work: Work, key: int) -> None:
        """Keep work of a stream."""

    def wait(self, key: int, nodes: Sequence[Any]) -> None:
        """Let later work of a stream wait for what was recorded."""


@dataclass(frozen=True, slots=True)
class Captured:
    """The nodes of a graph that stand for a piece of work, and who recorded them."""

    by: Recorder
    nodes: Sequence[Any]


class Schedule:
    """All streams, events and work of a program.

    ``now`` is the host's time on the modelled clock, in seconds, and ``host`` the work that it has waited for.
    ``when_done`` gets each work right after it ran. ``recorders`` get the work of streams, by their keys, instead of
    the device, and ``every_recorder`` that of all.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.host: Clock = {}
        self.when_done: Callable[[Work], None] = _ignore
        self.done: list[Work] = []
        self.streams: dict[int, _Stream] = {
            LEGACY: _Stream(0, is_blocking=True, site=()),
            _PER_THREAD: _Stream(0, is_blocking=True, site=()),
        }
        self.events: dict[int, Event] = {}
        self.recorders: dict[int, Recorder] = {}
        self.every_recorder: Recorder | None = None
        self._waiting: dict[Work, None] = {}
        self._using_host: dict[Work, None] = {}
        self._busy: dict[Lane, float] = {}
        self._next_handle = _FIRST_HANDLE
        self._created = 0
        self._issued = 0
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

    def create_branch(self) -> int:
        """The key of a stream that only a graph uses."""
        handle = self._handle()
        self.streams[handle] = _Stream(0, is_blocking=False, site=())
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
        """Put ``work`` behind everything that its stream waits for, or let a recorder keep it."""
        recorder = self.every_recorder or self.recorders.get(key)
        if recorder is not None:
            recorder.record(work, key)
            return work
        stream = self.streams[key]
        after = [stream.last, *stream.waits]
        stream.waits.clear()
        if key == LEGACY:
            after += [other.last for other in self.streams.values() if other.is_blocking]
        elif stream.is_blocking:
            after.append(self.streams[LEGACY].last)
        work.after = tuple(dict.fromkeys(each for each in after if each is not None))
        stream.last = work
        self._stamp(work, key)
        self._waiting[work] = None
        if work.pending:
            self._using_host[work] = None
        return work

    def _stamp(self, work: Work, key: int) -> None:
        """Give new work its clock, and note the streams whose work it may run beside."""
        stream = self.streams[key]
        stream.position += 1
        self._issued += 1
        work.key, work.position, work.issue = key, stream.position, self._issued
        work.clock = joined(self.host, *(each.clock for each in work.after))
        work.clock[key] = stream.position
        for number, other in self.streams.items():
            if number == key or other.last is None or other.last.is_done:
                continue
            known = work.clock.get(number, 0)
            if known < other.last.position:
                work.has_peers = True
                other.alone_until = min(known, known if other.alone_until is None else other.alone_until)

    def has_peers(self, work: Work) -> bool:
        """Whether unfinished work may run beside ``work``."""
        stream = self.streams.get(work.key)
        is_met = stream is None or (stream.alone_until is not None and work.position > stream.alone_until)
        return work.has_peers or is_met

    @property
    def is_idle(self) -> bool:
        """Whether all work is done."""
        return not self._waiting

    def make_wait(self, key: int, mark: Work) -> None:
        """Let all later work of a stream wait for ``mark``; if that is captured, the stream is from now on."""
        if mark.captured is not None:
            mark.captured.by.wait(key, mark.captured.nodes)
            self.recorders[key] = mark.captured.by
            return
        self.streams[key].waits.append(mark)

    @property
    def pending(self) -> Iterator[Pending]:
        """The host's memory that unfinished work has yet to read or write."""
        return (each for work in self._using_host for each in work.pending)

    def owners(self, address: int, *, is_write: bool) -> list[Work]:
        """The unfinished work that the host may disturb by reading or writing its memory at ``address`` now."""
        return [
            work
            for work in self._using_host
            if any(each.covers(address) and (is_write or each.is_written) for each in work.pending)
        ]

    @property
    def unfinished(self) -> tuple[Work, ...]:
        """Work that nothing has waited for yet, without marks."""
        return tuple(work for work in self._waiting if work.lane is not None)

    def wait(self, work: Work | None) -> None:
        """Let the host wait until ``work`` is done."""
        if work is not None and work.captured is None:
            self._finish(work)
            self.host = joined(self.host, work.clock)
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
        self._using_host.pop(work, None)
        seconds = work.perform()
        self.when_done(work)
        ready = max((each.end for each in work.after), default=0.0)
        free = 0.0 if work.lane is None else self._busy.get(work.lane, 0.0)
        work.start = max(work.issued, ready, free)
        work.end = work.start + seconds
        work.after = ()
        if work.lane is not None:
            self._busy[work.lane] = work.end
            self.done.append(work)


def _ignore(_work: Work) -> None:
    pass
