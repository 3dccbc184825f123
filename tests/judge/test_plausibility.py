"""Impossible times are flagged, possible times are not."""

from dataclasses import replace

import pytest

from grader.judge.plausibility import (
    BANDWIDTH_MARGIN,
    exceeds_wall_clock,
    faster_than_memory,
    flags,
    input_bytes,
    minimum_read_seconds,
)
from grader.model.device import Device
from grader.model.devices import H200
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.element_types import DType
from grader.model.facts import KernelFacts
from grader.model.location import SourceLocation
from grader.model.plan import Buffer, LaunchPlan, Role
from grader.model.reason import Reason, reason
from grader.model.run import Comparison, TimedComparison, TimedPair
from tools.messages import english

PAIRS = (TimedPair(baseline=0.02, submission=0.005),) * 40
"""One second in total."""


@pytest.mark.parametrize("wall_seconds", [1.01, 5.0])
def test_times_within_the_wall_clock_time_are_not_flagged(wall_seconds: float) -> None:
    comparison = TimedComparison(pairs=PAIRS, modelled=False, wall_seconds=wall_seconds)
    assert exceeds_wall_clock(comparison) is None


def test_times_beyond_the_wall_clock_are_flagged_and_dropped() -> None:
    flag_reason = exceeds_wall_clock(TimedComparison(pairs=PAIRS, modelled=False, wall_seconds=0.5))
    assert flag_reason is not None
    assert (flag_reason.code, set(flag_reason.params)) == ("exceeds-wall-clock", {"ratio"})
    assert flag_reason.params["ratio"] == pytest.approx(2.0)


@pytest.mark.parametrize(("modelled", "wall_seconds"), [(True, 0.1), (False, None)])
def test_modelled_and_unclocked_times_are_not_flagged(wall_seconds: float | None, *, modelled: bool) -> None:
    comparison = TimedComparison(pairs=PAIRS, modelled=modelled, wall_seconds=wall_seconds)
    assert exceeds_wall_clock(comparison) is None


def flag(comparison: Comparison, launched: LaunchPlan, device: Device = H200) -> Reason | None:
    return faster_than_memory(comparison, minimum_read_seconds(input_bytes(launched), device), device)


def plan(elements: int) -> LaunchPlan:
    """A sum of many float32: one input of four bytes an element, and an output larger than it."""
    x = Buffer(name="x", dtype=DType.FLOAT32, shape=(elements,), role=Role.INPUT)
    y = Buffer(name="y", dtype=DType.FLOAT32, shape=(2 * elements,), role=Role.OUTPUT)
    return LaunchPlan(buffers=(x, y), launches=())


def taking(seconds: float, *, modelled: bool = False) -> Comparison:
    return Comparison(pairs=(TimedPair(baseline=1.0, submission=seconds),) * 30, modelled=modelled)


LARGE = plan(2**28)
READ_SECONDS = 2**30 / H200.dram_bandwidth


def test_a_time_at_the_stated_bandwidth_is_not_flagged() -> None:
    assert flag(taking(READ_SECONDS), LARGE) is None


def test_a_time_below_the_read_time_of_the_inputs_is_flagged() -> None:
    flag_reason = flag(taking(READ_SECONDS / 2), LARGE)
    assert english(flag_reason).startswith("1.71 times faster")
    assert H200.name in english(flag_reason)


def test_the_bound_excludes_outputs_the_l2_and_a_margin() -> None:
    assert minimum_read_seconds(input_bytes(LARGE), H200) == pytest.approx(
        (2**30 - H200.l2_bytes) / (BANDWIDTH_MARGIN * H200.dram_bandwidth)
    )


def test_inputs_that_fit_into_the_l2_are_not_flagged() -> None:
    assert flag(taking(1e-12), plan(H200.l2_bytes // 4)) is None


def test_a_modelled_time_is_not_flagged() -> None:
    assert flag(taking(1e-12, modelled=True), LARGE) is None


def test_a_device_of_unknown_bandwidth_flags_nothing() -> None:
    assert flag(taking(1e-12), LARGE, replace(H200, dram_bandwidth=0.0)) is None


def reading(related: tuple[SourceLocation, ...], case: str, *, modelled: bool = False) -> list[Reason]:
    """The flags of a kernel that reads unwritten memory, and of which the lines ``related`` depend on the value."""
    found = Diagnostic(
        kind=DiagnosticKind.UNINITIALISED,
        severity=Severity.WARNING,
        message=reason("uninitialised-read", subject="", threads=""),
        file="k.cu",
        line=7,
        related=related,
        case=case,
    )
    comparison = TimedComparison(pairs=PAIRS, modelled=modelled, wall_seconds=5.0)
    kernel = KernelFacts(name="k", diagnostics=(found,), comparisons={"global": comparison})
    return list(flags(kernel, "global", H200, reads_all_inputs=True, public={"open"}))


@pytest.mark.parametrize(("case", "line"), [("open", 7), ("hidden", None)])
def test_a_measured_kernel_that_depends_on_unwritten_memory_is_flagged(case: str, line: int | None) -> None:
    (flagged,) = reading((SourceLocation(file="k.cu", line=9),), case)
    assert flagged.code == "depends-on-unwritten-memory"
    assert (flagged.location.line if flagged.location else None) == line


def test_unwritten_memory_that_nothing_depends_on_flags_nothing() -> None:
    assert reading((), "open") == []
    assert reading((SourceLocation(file="k.cu", line=9),), "open", modelled=True) == []
