"""The order of asynchronous work: streams, events, and what waits for what.

Work runs when something waits for it, as late as CUDA allows, so a missing wait shows each time. ``modelled_clock`` has
its times.
"""

from collections.abc import Callable, Iterator

from grader.programs.clocks import Clock, joined
from grader.programs.modelled_clock import ModelledClock
from grader.programs.wire import Pending, Site
from grader.programs.work import Event, Recorder, Stream, Work

_DEFAULT, _LEGACY, _PER_THREAD = 0, 1, 2
"""The handles of the default streams: which of the two others it is, of the device, of the calling thread."""

_STEP = 16
_NON_BLOCKING = 1
_MAIN_THREAD = 1


def legacy_key(device: int) -> int:
    """The key of a device's legacy default stream."""
    return -_STEP * device


def is_legacy(key: int) -> bool:
    """Whether a key is that of a legacy default stream."""
    return key <= 0 and key % _STEP == 0


class Schedule:
    """All streams, events and work of a program.

    ``times`` has those of the host and of all work, and ``host`` the work that the host has waited for.
    ``when_done`` gets each work right after it ran. ``recorders`` get the work of streams, by their keys, instead of
    the device, and ``every_recorder`` that of all. ``device`` and ``thread`` are those of the present call, and
    ``is_per_thread`` says which stream the default stream is.
    """

    def __init__(self) -> None:
        self.device = 0
        self.thread = _MAIN_THREAD
        self.is_per_thread = False
        self.times = ModelledClock()
        self.host: Clock = {}
        self.when_done: Callable[[Work], None] = _ignore
        self.done: list[Work] = []
        self.streams: dict[int, Stream] = {}
        self._of_threads: dict[tuple[int, int], int] = {}
        self.events: dict[int, Event] = {}
        self.recorders: dict[int, Recorder] = {}
        self.every_recorder: Recorder | None = None
        self._waiting: dict[Work, None] = {}
        self._using_host: dict[Work, None] = {}
        self._next_handle = _STEP
        self._created = 0
        self._issued = 0
        self._polled: set[Work] = set()

    def stream(self, handle: int) -> int | None:
        """The key of a stream; ``None`` for a handle that is none."""
        if handle == _PER_THREAD or (handle == _DEFAULT and self.is_per_thread):
            return self._of_thread()
        if handle in {_DEFAULT, _LEGACY}:
            key = legacy_key(self.device)
            if key not in self.streams:
                self.streams[key] = Stream(0, is_blocking=True, site=(), device=self.device)
            return key
        return handle if handle in self.streams else None

    def _of_thread(self) -> int:
        """The key of the calling thread's default stream."""
        owner = self.device, self.thread
        if owner not in self._of_threads:
            is_first = self.thread == _MAIN_THREAD and self.device == 0
            self._of_threads[owner] = self._new_stream(is_blocking=True, site=(), is_numbered=not is_first)
        return self._of_threads[owner]

    def create_stream(self, flags: int, site: Site) -> int:
        """A new stream's handle."""
        return self._new_stream(is_blocking=not flags & _NON_BLOCKING, site=site)

    def _new_stream(self, *, is_blocking: bool, site: Site, is_numbered: bool = True) -> int:
        self._created += is_numbered
        handle = self._handle()
        number = self._created if is_numbered else 0
        self.streams[handle] = Stream(number, is_blocking=is_blocking, site=site, device=self.device)
        return handle

    def create_branch(self) -> int:
        """The key of a stream that only a graph uses."""
        return self._new_stream(is_blocking=False, site=(), is_numbered=False)

    def destroy_stream(self, key: int) -> None:
        """Forget a stream; its work still runs."""
        del self.streams[key]

    def create_event(self, site: Site) -> int:
        """A new event's handle."""
        handle = self._handle()
        self.events[handle] = Event(site, self.device)
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
        after, implied = [stream.last, *stream.waits], []
        stream.waits.clear()
        legacy = self.streams.get(legacy_key(stream.device))
        if stream is legacy:
            mine = (other for other in self.streams.values() if other.device == stream.device)
            implied = [other.last for other in mine if other.is_blocking]
        elif stream.is_blocking and legacy is not None:
            implied = [legacy.last]
        work.device = stream.device
        work.after = tuple(dict.fromkeys(each for each in [*after, *implied] if each is not None))
        work.implied = tuple(
            each for each in implied if each is not None and not each.is_done and each not in after
        )
        stream.last = work
        self._stamp(work, key)
        self.times.issue(work)
        self._waiting[work] = None
        if work.pending:
            self._using_host[work] = None
        return work

    def _stamp(self, work: Work, key: int) -> None:
        """Give new work its clock, and note the streams with work that it may run beside."""
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
            self.times.wait(work)

    def wait_for_all(self, device: int | None = None) -> None:
        """Let the host wait for all work, or for that of a device."""
        for work in tuple(self._waiting):
            if device is None or work.device == device:
                self.wait(work)

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
        self._next_handle += _STEP
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
        work.seconds = work.perform()
        self.when_done(work)
        if work.lane is not None:
            self.done.append(work)


def _ignore(_work: Work) -> None:
    pass
