"""Reads what ``recorder.cpp`` wrote, as the activities of a timeline."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from grader.model.location import SourceLocation
from grader.model.program import Activity, Lane
from grader.model.reason import Reason, reason
from grader.programs.wire import Site

_NANO = 1e-9
_SHOWN_SECONDS = 10e-6
"""The shortest time of the program's own code that a timeline shows."""

_PAGEABLE = 1
_COPY_LANES = {1: Lane.COPY_IN, 2: Lane.COPY_OUT}
"""Lanes by CUPTI's kind of a copy; the others stay on the device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a program did: ``activities`` by their start, its ``calls`` and ``launches``, and its ``seconds``."""

    activities: tuple[Activity, ...] = ()
    calls: int = 0
    launches: int = 0
    seconds: float = 0.0


class Lines(Protocol):
    """Finds lines of a program; ``CallSites`` does."""

    def location(self, site: Site) -> SourceLocation:
        """The line of a call."""

    def launch(self, site: Site) -> SourceLocation:
        """The line of a launch."""


@dataclass(frozen=True, slots=True)
class _Work:
    """Work of the device, its times in nanoseconds, and the call that asked for it."""

    kind: str
    begin: int
    end: int
    stream: str
    call: str
    details: Sequence[str]


@dataclass(slots=True)
class _Call:
    """A call of the runtime: when it began and ended in nanoseconds, its function, and where it was made."""

    begin: int
    end: int
    name: str
    site: Site

    def line(self, lines: Lines) -> SourceLocation:
        """The line of the program that made it."""
        return lines.launch(self.site) if self.name.startswith("cudaLaunch") else lines.location(self.site)


def read_records(text: str, lines: Lines) -> Recorded:
    """What ``text`` records; times count from the first call."""
    calls: dict[str, _Call] = {}
    work: list[_Work] = []
    default = ""
    for line in text.splitlines():
        word, *rest = line.split(" ")
        if word == "call":
            number, begin, name, *frames = rest
            site = tuple(int(frame, 16) for frame in frames)
            calls[number] = _Call(int(begin), int(begin), name, site)
        elif word == "done" and rest[0] in calls:
            calls[rest[0]].end = int(rest[1])
        elif word == "default":
            (default,) = rest
        elif word in _READERS:
            begin, end, stream, number, *details = rest
            if int(begin):  # work that a fault cut short has no times
                work.append(_Work(word, int(begin), int(end), stream, number, details))
    if not calls and not work:
        return Recorded()
    zero = min([*(each.begin for each in calls.values()), *(each.begin for each in work)])
    last = max([*(each.end for each in calls.values()), *(each.end for each in work)])
    streams = _numbers(default, work)
    activities = [
        _activity(
            each,
            zero,
            streams[each.stream],
            calls[each.call].line(lines) if each.call in calls else SourceLocation(),
        )
        for each in work
    ]
    activities += _host(calls.values(), zero, lines)
    return Recorded(
        activities=tuple(sorted(activities, key=lambda each: each.start)),
        calls=len(calls),
        launches=sum(each.kind == "kernel" for each in work),
        seconds=(last - zero) * _NANO,
    )


def _numbers(default: str, work: Iterable[_Work]) -> dict[str, int]:
    """The numbers of CUPTI's streams: the default stream is 0, the others follow in the order of their creation."""
    made = sorted({each.stream for each in work} - {default}, key=int)
    return {default: 0} | {name: number for number, name in enumerate(made, start=1)}


def _kernel(details: Sequence[str]) -> tuple[Lane, Reason, int]:
    return Lane.KERNELS, reason("work-kernel", kernel=" ".join(details).partition("(")[0]), 0


def _copy(details: Sequence[str]) -> tuple[Lane, Reason, int]:
    moved, kind, *ends = map(int, details)
    lane = _COPY_LANES.get(kind)
    if lane is None:
        return Lane.KERNELS, reason("work-copy-on-device"), moved
    return lane, reason("work-copy-pageable" if _PAGEABLE in ends else "work-copy-pinned"), moved


def _fill(details: Sequence[str]) -> tuple[Lane, Reason, int]:
    return Lane.KERNELS, reason("work-memset"), int(details[0])


_READERS: Mapping[str, Callable[[Sequence[str]], tuple[Lane, Reason, int]]] = {
    "kernel": _kernel,
    "copy": _copy,
    "fill": _fill,
}


def _activity(work: _Work, zero: int, stream: int, location: SourceLocation) -> Activity:
    lane, name, moved = _READERS[work.kind](work.details)
    return Activity(
        lane=lane,
        name=name,
        stream=stream,
        start=(work.begin - zero) * _NANO,
        end=(work.end - zero) * _NANO,
        location=location,
        moved_bytes=moved,
    )


def _host(calls: Iterable[_Call], zero: int, lines: Lines) -> Iterator[Activity]:
    """The program's own code: the time between a call's end and the next call."""
    for before, after in pairwise(sorted(calls, key=lambda each: each.begin)):
        if (after.begin - before.end) * _NANO > _SHOWN_SECONDS:
            yield Activity(
                lane=Lane.HOST,
                name=None,
                stream=0,
                start=(before.end - zero) * _NANO,
                end=(after.begin - zero) * _NANO,
                location=after.line(lines),
            )
