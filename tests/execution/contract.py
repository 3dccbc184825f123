"""The conformance suite of executors. A test class provides the fixture ``executor`` with two fake devices."""

import os
import signal
import time
from collections.abc import Iterator

import msgspec
import psutil
import pytest

from grader.execution.port import Executor, Outcome, OutcomeKind
from grader.execution.ticket import Reply, Ticket
from tools.fake_jobs import ticket
from tools.fake_work import Found, Order

DEADLINE_SECONDS = 60.0


def hand_all(executor: Executor, tickets: list[Ticket]) -> Iterator[Outcome]:
    """Hand over ``tickets`` as there is room, and take their outcomes."""
    left, flying = list(reversed(tickets)), 0
    deadline = time.monotonic() + DEADLINE_SECONDS
    while left or flying:
        assert time.monotonic() < deadline, (len(left), flying)
        while left and (room := executor.room()):
            each = left.pop()
            executor.hand(each.encode(), each.job, each.attempt, room[0])
            flying += 1
        for outcome in executor.outcomes(0.2):
            flying -= 1
            yield outcome


def found(outcome: Outcome) -> Found:
    """What the fake work found."""
    assert outcome.kind is OutcomeKind.DONE, outcome.why
    return msgspec.json.decode(Reply.decode(outcome.reply).facts, type=Found)


class ExecutorContract:
    """What every executor does."""

    @pytest.fixture
    def others(self) -> set[int]:
        """Processes of other tests, such as a browser."""
        return _below()

    @pytest.fixture
    def started(self, others: set[int], executor: Executor) -> Iterator[Executor]:
        del others  # the fixture comes first, so that nothing of the executor is among them
        executor.start()
        yield executor
        executor.close()

    def test_every_ticket_has_one_outcome_on_an_unshared_device(self, started: Executor) -> None:
        outcomes = list(hand_all(started, [ticket(number, Order(seconds=0.02)) for number in range(12)]))
        assert sorted(outcome.job for outcome in outcomes) == list(range(12))
        results = {outcome.job: found(outcome) for outcome in outcomes}
        assert {job: result.seed for job, result in results.items()} == {n: n * 2**100 for n in range(12)}
        assert not any(result.shared for result in results.values())
        assert {result.visible for result in results.values()} == {"GPU-0", "GPU-1"}
        assert all(result.visible == result.device for result in results.values())

    def test_a_worker_that_dies_loses_its_ticket_and_is_replaced(self, started: Executor) -> None:
        lost = list(hand_all(started, [ticket(1, Order(kill=1))]))
        assert [(each.job, each.attempt, each.kind) for each in lost] == [(1, 1, OutcomeKind.LOST)]
        assert lost[0].why
        (again,) = hand_all(started, [ticket(1, Order(kill=1), attempt=2)])
        assert found(again).seed == 2**100

    def test_a_problem_of_the_worker_comes_as_a_reply(self, started: Executor) -> None:
        (outcome,) = hand_all(started, [ticket(1, Order(problem="driver lost"))])
        assert Reply.decode(outcome.reply).problem == "driver lost"

    def test_no_more_tickets_are_wanted_than_keep_the_devices_busy(self, started: Executor) -> None:
        first = len(started.room())
        assert 2 <= first <= 3
        each = ticket(1, Order(seconds=0.1))
        started.hand(each.encode(), each.job, 1, started.room()[0])
        assert len(started.room()) == first - 1

    def test_workers_are_listed_while_they_are_there(self, started: Executor) -> None:
        list(hand_all(started, [ticket(1)]))
        assert {worker.device.engine for worker in started.workers()} == {"cuda"}

    def test_closing_ends_every_process(self, started: Executor, others: set[int]) -> None:
        pids = {found(outcome).pid for outcome in hand_all(started, [ticket(n) for n in range(4)])}
        below = (_below() | pids) - others
        started.close()
        deadline = time.monotonic() + 10
        while any(map(_lives, below)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not [pid for pid in below if _lives(pid)]

    def test_a_stopped_worker_is_lost_not_forgotten(self, started: Executor) -> None:
        pid = found(next(iter(hand_all(started, [ticket(0)])))).pid
        for number in (1, 2):
            slow = ticket(number, Order(seconds=3.0))
            started.hand(slow.encode(), number, 1, started.room()[0])
        time.sleep(1.0)
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + DEADLINE_SECONDS
        outcomes: list[Outcome] = []
        while len(outcomes) < 2 and time.monotonic() < deadline:
            outcomes += started.outcomes(0.2)
        assert {outcome.job for outcome in outcomes} == {1, 2}
        assert sorted(outcome.kind for outcome in outcomes) == [OutcomeKind.DONE, OutcomeKind.LOST]


def _below() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


def _lives(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
