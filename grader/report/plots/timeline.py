"""The timeline of a program as a plot: a row for each lane, a bar for each activity."""

from dataclasses import dataclass

from grader.messages import ENGLISH, Speech
from grader.report import quantities
from grader.report.plots.axes import Tick, linear
from grader.report.timeline import Bar, Row, Timeline

_WIDTH, _LEFT, _RIGHT = 960, 190, 900
_TOP, _ROW, _BAR = 10, 30, 18
_LEAST = 1.0
"""The narrowest bar that is visible."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One bar, and the text that a pointer over it shows."""

    x: float
    width: float
    text: str


@dataclass(frozen=True, slots=True)
class Track:
    """One row: its title, the time it was busy, and its bars. ``lane`` selects their colour."""

    lane: str
    title: str
    busy: str
    y: float
    marks: tuple[Mark, ...]

    @property
    def middle(self) -> float:
        """Where its text stands."""
        return self.y + _BAR * 0.75


@dataclass(frozen=True, slots=True)
class TimelinePlot:
    """What the template draws."""

    title: str
    description: str
    note: str
    height: float
    tracks: tuple[Track, ...]
    ticks: tuple[Tick, ...]
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
    overlap = (
        ""
        if drawn.overlap is None
        else speech.says("timeline-overlap", share=speech.figure(quantities.percent(drawn.overlap)))
    )
    return TimelinePlot(
        title=speech.says("heading-timeline"),
        description="; ".join(f"{track.title}: {track.busy}" for track in tracks),
        note=overlap,
        height=_TOP + _ROW * len(tracks) + 34,
        tracks=tracks,
        ticks=ticks,
    )


def _track(row: Row, number: int, speech: Speech) -> Track:
    return Track(
        lane=row.lane.value,
        title=speech(row.title),
        busy=speech.figure(quantities.seconds(row.busy)),
        y=_TOP + _ROW * number + (_ROW - _BAR) / 2,
        marks=tuple(_mark(bar, speech) for bar in row.bars),
    )


def _mark(bar: Bar, speech: Speech) -> Mark:
    span = _RIGHT - _LEFT
    activity = bar.activity
    name = speech(activity.name) if activity.name is not None else speech.says("lane-host")
    size = f", {quantities.size(activity.moved_bytes)}" if activity.moved_bytes else ""
    line = f", {activity.location.file}:{activity.location.line}" if activity.location.line else ""
    text = f"{name}: {speech.figure(quantities.seconds(activity.end - activity.start) + size)}{line}"
    return Mark(_LEFT + bar.start * span, max(_LEAST, bar.length * span), text)
