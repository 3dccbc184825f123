"""The timeline of a program as a plot: a row for each lane, a bar for each activity."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from grader.messages import ENGLISH, Speech
from grader.report import quantities
from grader.report.plots.axes import Tick, linear
from grader.report.timeline import Bar, Row, Timeline

_WIDTH, _LEFT, _RIGHT = 960, 200, 895
_TOP, _ROW, _BAR = 10, 30, 20
_LEAST = 1.0
"""The narrowest bar that is visible."""

_CLOSE = 0.25
"""Narrow bars that are closer than this are drawn as one."""

_LETTER, _MARGIN = 6.4, 8.0
"""The width of a letter inside a bar, and of the room around the text."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One bar, the text that a pointer over it shows, and the text inside it, where there is room."""

    x: float
    width: float
    text: str
    label: str = ""

    @property
    def middle(self) -> float:
        """Where the text inside it stands."""
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Track:
    """One row: its title, the time it was busy, that as a share, and its bars. ``lane`` selects their colour."""

    lane: str
    title: str
    busy: str
    share: str
    y: float
    marks: tuple[Mark, ...]

    @property
    def middle(self) -> float:
        """Where its text stands."""
        return self.y + _BAR * 0.72


@dataclass(frozen=True, slots=True)
class Band:
    """A time in which copies and kernels overlap."""

    x: float
    width: float


@dataclass(frozen=True, slots=True)
class TimelinePlot:
    """What the template draws."""

    title: str
    description: str
    notes: tuple[str, ...]
    height: float
    tracks: tuple[Track, ...]
    ticks: tuple[Tick, ...]
    bands: tuple[Band, ...]
    width: int = _WIDTH
    left: int = _LEFT
    right: int = _RIGHT
    bar: int = _BAR
    top: int = _TOP

    @property
    def bottom(self) -> float:
        """Where the rows end."""
        return self.height - 34


def plot(drawn: Timeline, speech: Speech = ENGLISH) -> TimelinePlot:
    """The plot of ``drawn``, with texts in the language of ``speech``."""
    axis = linear((0.0, drawn.end - drawn.start), _LEFT, _RIGHT)
    tracks = tuple(_track(row, number, speech) for number, row in enumerate(drawn.rows))
    ticks = tuple(
        Tick(axis.at(value), speech.figure(quantities.seconds(value)) if value else "0")
        for value in axis.ticks()
    )
    span = _RIGHT - _LEFT
    return TimelinePlot(
        title=speech.says("heading-timeline"),
        description="; ".join(f"{track.title}: {track.busy}" for track in tracks),
        notes=tuple(notes(drawn, speech)),
        height=_TOP + _ROW * len(tracks) + 34,
        tracks=tracks,
        ticks=ticks,
        bands=tuple(Band(_LEFT + start * span, (end - start) * span) for start, end in drawn.both),
    )


def notes(drawn: Timeline, speech: Speech) -> Iterator[str]:
    """What overlaps, and what more overlap would save."""
    if drawn.overlap is not None:
        yield speech.says("timeline-overlap", share=speech.figure(quantities.percent(drawn.overlap)))
    if drawn.gain is not None:
        yield speech(drawn.gain)


def _track(row: Row, number: int, speech: Speech) -> Track:
    return Track(
        lane=row.lane.value,
        title=speech(row.title),
        busy=speech.figure(quantities.seconds(row.busy)),
        share=speech.figure(quantities.percent(row.share)),
        y=_TOP + _ROW * number + (_ROW - _BAR) / 2,
        marks=tuple(_joined(row, speech)),
    )


def _joined(row: Row, speech: Speech) -> Iterator[Mark]:
    """The marks of a row; narrow ones that follow each other closely are one."""
    last: Mark | None = None
    count = 1
    for bar in row.bars:
        mark = _mark(bar, speech)
        if last is not None and max(last.width / count, mark.width) <= 2 * _LEAST and _touch(last, mark):
            count += 1
            last = replace(last, width=mark.x + mark.width - last.x, text=f"{count} × {mark.text}", label="")
            continue
        if last is not None:
            yield last
        last, count = mark, 1
    if last is not None:
        yield last


def _touch(first: Mark, second: Mark) -> bool:
    return second.x - first.x - first.width < _CLOSE


def _mark(bar: Bar, speech: Speech) -> Mark:
    span = _RIGHT - _LEFT
    activity = bar.activity
    name = speech(activity.name) if activity.name is not None else speech.says("lane-host")
    size = f", {quantities.size(activity.moved_bytes)}" if activity.moved_bytes else ""
    line = f", {activity.location.file}:{activity.location.line}" if activity.location.line else ""
    text = f"{name}: {speech.figure(quantities.seconds(activity.end - activity.start) + size)}{line}"
    width = max(_LEAST, bar.length * span)
    inside = quantities.size(activity.moved_bytes) if activity.moved_bytes else name
    fits = activity.name is not None and len(inside) * _LETTER + _MARGIN <= width
    return Mark(_LEFT + bar.start * span, width, text, inside if fits else "")
