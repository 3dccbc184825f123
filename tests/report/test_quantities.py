"""Numbers formatted for readers."""

from dataclasses import replace

import pytest

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import as_written
from grader.model.report import Part, SpeedupKind
from grader.report import quantities
from tests.report.examples import CUDA, EMULATOR, kernel, report, speedup
from tools.messages import english


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2.484, "2.48 s"),
        (0.00193, "1.93 ms"),
        (412.6e-6, "413 µs"),
        (0.9999, "1.00 s"),
        (99.97e-6, "100 µs"),
        (5e-9, "5.00 ns"),
        (0.0, "0.00 ns"),
        (123.4, "123 s"),
    ],
)
def test_seconds_get_the_unit_that_suits_them(value: float, shown: str) -> None:
    assert quantities.seconds(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.5, "0.50×"), (9.996, "10.0×"), (17.53, "17.5×"), (412.0, "412×")]
)
def test_ratios_have_three_digits(value: float, shown: str) -> None:
    assert quantities.times(value) == shown


@pytest.mark.parametrize(("value", "shown"), [(100.0, "100"), (62.5, "62.5"), (33.333, "33.33"), (0.0, "0")])
def test_points_have_no_idle_zeros(value: float, shown: str) -> None:
    assert quantities.points(value) == shown


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0 B"), (1000, "1000 B"), (4352, "4.25 KiB"), (3 << 20, "3 MiB")]
)
def test_bytes_are_counted_in_powers_of_two(count: int, shown: str) -> None:
    assert quantities.size(count) == shown


def test_an_interval_of_one_point_is_not_shown() -> None:
    assert quantities.interval(speedup(3.92)) == ""
    assert quantities.interval(speedup(3.92, spread=0.05)) == "[3.87, 3.97]"


def test_a_speedup_says_where_it_comes_from() -> None:
    assert english(quantities.labelled(speedup(3.92))) == "3.92× modelled"
    assert english(quantities.labelled(speedup(3.92, SpeedupKind.MEASURED))) == "3.92× measured"


def test_a_time_without_speedup_is_of_the_engine_s_kind() -> None:
    timed = kernel("k", seconds=1e-3)
    assert quantities.time_kind(timed, EMULATOR) is SpeedupKind.MODELLED
    assert quantities.time_kind(timed, CUDA) is SpeedupKind.MEASURED
    assert quantities.time_kind(kernel("k", seconds=1e-3, fast=speedup(2.0)), CUDA) is SpeedupKind.MODELLED


def test_a_moment_is_written_out_and_nonsense_is_left_alone() -> None:
    assert quantities.moment("2025-11-21T03:30:00+00:00") == "21 November 2025, 03:30 UTC"
    assert quantities.moment("2025-11-21T03:30:00Z") == "21 November 2025, 03:30 UTC"
    assert quantities.moment("yesterday") == "yesterday"


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0"), (31_744, "31,744"), (128_000, "128 k"), (999_600, "1.00 M"), (1_234_567_890, "1.23 G")],
)
def test_large_counts_are_rounded(count: int, shown: str) -> None:
    assert quantities.amount(count) == shown


@pytest.mark.parametrize(("value", "shown"), [(31.25, "31.2"), (4.0, "4"), (3.96, "4")])
def test_averages_have_no_idle_zero(value: float, shown: str) -> None:
    assert quantities.average(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "0 %"), (0.004, "<1 %"), (0.255, "26 %"), (0.999, ">99 %"), (1, "100 %")]
)
def test_percentages_never_round_to_none_or_all(value: float, shown: str) -> None:
    assert quantities.percent(value) == shown


@pytest.mark.parametrize(
    ("count", "threads", "shown"),
    [
        (1, 0, ""),
        (1, 1, ""),
        (17, 1, "17 times"),
        (1, 32, "in 32 threads"),
        (992, 192, "992 times, in 192 threads"),
    ],
)
def test_a_tally_says_how_often_and_for_how_many(count: int, threads: int, shown: str) -> None:
    found = Diagnostic(
        kind=DiagnosticKind.TRAP,
        severity=Severity.ERROR,
        message=as_written("m"),
        count=count,
        threads=threads,
    )
    assert quantities.tally(found) == shown


def test_points_that_wait_for_a_gpu_are_counted_apart() -> None:
    part = Part(name="speed", score=0, max_score=25, reason=as_written(""), waits_for_gpu=True)
    graded = replace(report("a", "matmul", kernel("matmul"), parts=(part,)), score=75, max_score=100)
    note = quantities.waiting_note(graded)
    assert note is not None
    assert (note.params["score"], note.params["earnable"], note.params["waiting"]) == (75, 75, 25)
    assert quantities.waiting_note(replace(graded, parts=())) is None
