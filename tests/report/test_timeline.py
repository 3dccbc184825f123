"""The timeline of a program: rows, what overlaps, what more overlap would save, and bars that stay few."""

import io

import pytest
from rich.console import Console, Group

from grader.messages import Speech
from grader.model.location import SourceLocation
from grader.model.program import Activity, Lane, ProgramRun
from grader.model.reason import reason
from grader.model.spans import shared
from grader.report.plots.timeline import plot
from grader.report.terminal.timeline import timeline_sections
from grader.report.timeline import timeline


def _activity(lane: Lane, start: float, end: float, stream: int = 0, device: int = 0) -> Activity:
    name = None if lane is Lane.HOST else reason("work-memset")
    return Activity(
        lane=lane,
        name=name,
        stream=stream,
        device=device,
        start=start,
        end=end,
        location=SourceLocation(),
    )


SERIAL = (_activity(Lane.COPY_IN, 0, 1), _activity(Lane.KERNELS, 1, 2), _activity(Lane.COPY_OUT, 2, 3))
TOGETHER = (_activity(Lane.COPY_IN, 0, 4), _activity(Lane.KERNELS, 1, 3, stream=1))


@pytest.mark.parametrize(
    ("activities", "overlap", "code"), [(SERIAL, 0.0, "timeline-gain"), (TOGETHER, 0.5, "timeline-full")]
)
def test_the_timeline_says_what_overlaps_and_what_more_would_save(
    activities: tuple[Activity, ...], overlap: float, code: str
) -> None:
    drawn = timeline(activities)
    assert drawn is not None
    assert drawn.overlap == overlap
    assert drawn.gain is not None
    assert drawn.gain.code == code


def test_a_program_without_copies_has_nothing_to_overlap() -> None:
    drawn = timeline([_activity(Lane.KERNELS, 0, 1)])
    assert drawn is not None
    assert (drawn.overlap, drawn.gain, drawn.both) == (None, None, ())


def test_rows_of_several_devices_name_their_device() -> None:
    drawn = timeline([_activity(Lane.KERNELS, 0, 1, device=device) for device in (1, 0)])
    assert drawn is not None
    assert [(row.title.code, row.title.params["device"]) for row in drawn.rows] == [
        ("lane-of-device", 0),
        ("lane-of-device", 1),
    ]


def test_thousands_of_short_activities_are_few_bars() -> None:
    drawn = timeline([_activity(Lane.KERNELS, each, each + 1) for each in range(5000)])
    assert drawn is not None
    (track,) = plot(drawn).tracks
    assert len(track.marks) < 1000
    assert "×" in track.marks[0].text


def test_spans_in_common_are_found_in_order() -> None:
    assert shared([(0, 2), (3, 5), (6, 7)], [(1, 4), (4.5, 6.5)]) == [(1, 2), (3, 4), (4.5, 5), (6, 6.5)]


@pytest.mark.parametrize("width", [60, 80, 140])
def test_a_timeline_fits_the_terminal(width: int) -> None:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    run = ProgramRun(exit_code=0, activities=SERIAL)
    console.print(Group(*timeline_sections(run, "H200", Speech("en"))))
    file = console.file
    assert isinstance(file, io.StringIO)
    lines = file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)
