"""Several devices, access to each other's memory, and both kinds of default streams."""

import pytest

from grader.model.diagnostic import Severity
from grader.model.program import Lane
from grader.model.reason import reason
from grader.programs.schedule import Schedule
from grader.programs.work import Work
from tests.programs.running import cases, expected, ran

FAULTS, CORRECT, DEFAULT = "device_faults.cu", "devices.cu", "default_stream.cu"


@pytest.mark.parametrize("number", cases(CORRECT))
def test_a_program_for_two_devices_runs_without_findings(number: str) -> None:
    done = ran(CORRECT, number, devices=2)
    assert done.run.diagnostics == ()
    assert done.printed.split() == ["1"]


@pytest.mark.parametrize(("devices", "seconds"), [((0, 0), 2.0), ((0, 1), 1.0)])
def test_work_on_two_devices_takes_the_time_of_one(devices: tuple[int, int], seconds: float) -> None:
    schedule = Schedule()
    for schedule.device in devices:
        key = schedule.create_stream(0, ())
        work = Work(
            lane=Lane.KERNELS,
            name=reason("work-memset"),
            stream=0,
            site=(),
            perform=lambda: 1.0,
        )
        schedule.add(work, key)
    schedule.wait_for_all()
    schedule.times.settle()
    assert schedule.times.now == seconds
    assert {each.device for each in schedule.done} == set(devices)


@pytest.mark.parametrize("number", cases(FAULTS))
def test_a_fault_with_two_devices_is_found_at_its_line(number: str) -> None:
    done = ran(FAULTS, number, devices=2).run
    found = {
        (each.message.code, each.line) for each in done.diagnostics if each.message.code != "never-released"
    }
    assert found == expected(FAULTS, number)
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("number", "per_thread", "races"),
    [
        ("1", False, 0),
        ("1", True, 1),
        ("2", True, 0),
        ("3", False, 0),
        ("3", True, 1),
        ("4", False, 0),
    ],
)
def test_the_default_stream_orders_what_its_kind_orders(number: str, per_thread: bool, races: int) -> None:  # noqa: FBT001 - a column of the table
    done = ran(DEFAULT, number, is_per_thread=per_thread)
    assert [each.kind for each in done.run.diagnostics] == ["race of two streams"] * races
    assert done.printed.split() == ["1"]


@pytest.mark.parametrize("number", ["5", "6", "7", "8"])
def test_the_cost_of_the_default_stream_is_found_where_nothing_needs_it(number: str) -> None:
    found = ran(DEFAULT, number).run.diagnostics
    assert {(each.message.code, each.line) for each in found} == expected(DEFAULT, number)
    assert all(each.severity is Severity.WARNING for each in found)


def test_the_cost_of_the_default_stream_is_the_time_of_the_copy_that_waits() -> None:
    done = ran(DEFAULT, "5").run
    (found,) = done.diagnostics
    first = next(each for each in done.activities if each.lane is Lane.COPY_IN)
    lost = found.message.params["lost"]
    assert isinstance(lost, int)
    assert 0.5 < 1e-6 * lost / (first.end - first.start) <= 1
