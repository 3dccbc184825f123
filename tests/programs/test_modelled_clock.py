"""The modelled clock: engines take work in the order of its issue, whatever runs here first."""

from collections.abc import Sequence

import pytest

from grader.model.program import Lane
from grader.model.reason import reason
from grader.programs.modelled_clock import ModelledClock
from grader.programs.work import Work


def work(lane: Lane, seconds: float, after: Sequence[Work] = ()) -> Work:
    """A piece of work that has not run yet."""
    name = reason("work-memset")
    return Work(lane=lane, name=name, stream=1, site=(), perform=lambda: seconds, after=tuple(after))


def run(*all_work: Work) -> None:
    """Carry out work."""
    for each in all_work:
        each.is_done, each.seconds = True, each.perform()


def pipeline(clock: ModelledClock) -> list[Work]:
    """Two chunks, each a copy of 2 s and a kernel of 1 s, issued one after the other in two streams."""
    made: list[Work] = []
    for _ in range(2):
        copy = work(Lane.COPY_IN, 2.0)
        made += [copy, work(Lane.KERNELS, 1.0, [copy])]
    for each in made:
        clock.issue(each)
    return made


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 3, 0, 1), (0, 2, 1, 3)])
def test_the_order_of_running_here_changes_no_time(order: tuple[int, ...]) -> None:
    clock = ModelledClock()
    made = pipeline(clock)
    for index in order:
        run(made[index])
        clock.wait(made[index])
    clock.settle()
    assert [(each.start, each.end) for each in made] == [(0, 2), (2, 3), (2, 4), (4, 5)]
    assert clock.now == 5


def test_work_that_has_not_run_takes_no_time_yet() -> None:
    clock = ModelledClock()
    first, second = work(Lane.KERNELS, 3.0), work(Lane.KERNELS, 1.0)
    clock.issue(first)
    clock.issue(second)
    run(second)
    clock.wait(second)
    clock.settle()
    assert clock.now == 1
    run(first)
    clock.wait(first)
    clock.settle()
    assert (second.start, clock.now) == (3, 4)


def test_the_host_issues_when_it_has_time() -> None:
    clock = ModelledClock()
    copy, kernel = work(Lane.COPY_IN, 1.0), work(Lane.KERNELS, 1.0)
    clock.issue(copy)
    spent = clock.spend(5.0)
    clock.issue(kernel)
    run(copy, kernel)
    clock.wait(kernel)
    clock.settle()
    assert (spent.start, copy.end, kernel.start, clock.now) == (0, 1, 5, 6)


def test_waits_in_turn_go_through_each_step_once(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[object] = []
    monkeypatch.setattr("grader.programs.modelled_clock._Times.take", lambda _, step: taken.append(step))
    clock = ModelledClock()
    made = [work(Lane.KERNELS, 1.0) for _ in range(50)]
    for each in made:
        clock.issue(each)
    for each in made:
        run(each)
        clock.wait(each)
    assert len(taken) == 2 * len(made)


def test_devices_have_engines_of_their_own() -> None:
    clock = ModelledClock()
    made = [work(Lane.KERNELS, 2.0), work(Lane.KERNELS, 2.0)]
    made[1].device = 1
    for each in made:
        clock.issue(each)
    run(*made)
    clock.settle()
    assert [each.start for each in made] == [0, 0]
