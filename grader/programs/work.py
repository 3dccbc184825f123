"""Asynchronous work, the streams that order it, and the events that stand for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from grader.engines.touched import Touched
from grader.model.program import Lane
from grader.model.reason import Reason
from grader.programs.clocks import Clock
from grader.programs.wire import Pending, Site


@dataclass(eq=False, slots=True)
class Work:
    """A piece of work. ``perform`` does it and gives its seconds on the modelled clock.

    ``start`` and ``end`` are seconds on that clock, ``seconds`` lie between them. ``lane`` is ``None`` for marks that
    take no time. ``pending`` is the host's memory that it has yet to read or write. ``touched`` says, once it is done,
    which bytes it used. ``clock`` is what it waits for, itself included: positions by stream. ``issue`` numbers all
    work. ``has_peers``: it may run beside work that nothing orders it with. ``captured`` says what of a graph stands
    for it; it never runs itself then. ``implied`` is what it waits for only because one of the two is in the default
    stream, and ``delay`` the seconds that this cost. ``is_of_graph``: the launch of a graph made it. ``is_pinned``: it
    copies pinned memory.
    """

    lane: Lane | None
    name: Reason
    stream: int
    site: Site
    perform: Callable[[], float]
    pending: tuple[Pending, ...] = ()
    moved_bytes: int = 0
    touched: Callable[[], Sequence[Touched]] = tuple
    is_pinned: bool = False
    after: tuple["Work", ...] = ()
    implied: tuple["Work", ...] = ()
    delay: float = 0.0
    key: int = 0
    device: int = 0
    position: int = 0
    issue: int = 0
    clock: Clock = field(default_factory=dict)
    has_peers: bool = False
    captured: "Captured | None" = None
    is_of_graph: bool = False
    is_done: bool = False
    seconds: float = 0.0
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
class Stream:
    """A stream of a device. Work from position ``alone_until`` on may have peers in other streams."""

    number: int
    is_blocking: bool
    site: Site
    device: int = 0
    last: Work | None = None
    waits: list[Work] = field(default_factory=list)
    position: int = 0
    alone_until: int | None = None


@dataclass(slots=True)
class Event:
    """An event of a device, and the mark that recorded it last; ``None`` before that."""

    site: Site
    device: int = 0
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
