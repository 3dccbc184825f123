"""One watcher reads the store for everybody who listens; each gets changes and ends with the final state."""

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from grader.course.live_state import LiveState, Phase
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.model.needs import Needs
from grader.model.stage import Stage
from grader.portal.live import LiveWatch, read_states
from grader.store.job_values import JobState
from tests.course.small_course import send, small_course

T = TypeVar("T")

PERIOD = 0.05


def played(play: Coroutine[Any, Any, T]) -> T:
    """What ``play`` returns. It gets a thread of its own: a browser of other tests may keep a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, play).result()


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return small_course(tmp_path, f"sqlite:///{tmp_path}/store.sqlite")


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - a watch has no event for tests
            await asyncio.sleep(0.01)


def has(seen: Sequence[Phase], count: int) -> bool:
    return len(seen) == count


async def listen(workspace: Workspace, attempt: int, seen: list[Phase]) -> None:
    async for state in LiveWatch(read_states, 0.02).follow(workspace, attempt):
        seen.append(state.phase)  # noqa: PERF401 - the test reads what came so far


async def phases(watch: LiveWatch[int, LiveState], workspace: Workspace, attempt: int) -> list[Phase]:
    return [state.phase async for state in watch.follow(workspace, attempt)]


def test_many_listeners_cost_one_query_a_period(workspace: Workspace) -> None:
    attempts = [send(workspace, student=f"s{number}").attempt for number in range(3)]
    reads: list[int] = []

    def counted(found: Workspace, asked: Collection[int]) -> Mapping[int, LiveState]:
        reads.append(len(asked))
        return read_states(found, asked)

    async def play() -> list[list[Phase]]:
        watch = LiveWatch(counted, PERIOD)
        listening = [
            asyncio.create_task(phases(watch, workspace, attempt)) for attempt in attempts for _ in range(20)
        ]
        await until(lambda: watch.listeners == 60)
        await asyncio.sleep(0.3)
        await asyncio.to_thread(end_all, workspace)
        found = await asyncio.gather(*listening)
        assert watch.listeners == 0
        return found

    started = time.monotonic()
    for each in played(play()):
        assert (each[0], each[-1]) == (Phase.WAITING, Phase.WITHDRAWN)
    periods = (time.monotonic() - started) / PERIOD
    # Each listener reads its own state once; after that all share one.
    assert max(reads) == 3
    assert reads.count(3) <= periods + 2


def end_all(workspace: Workspace) -> None:
    with Records(workspace) as records:
        for job in records.store.jobs.list([JobState.WAITING]):
            records.store.jobs.cancel(job.id)


def test_a_listener_gets_each_stage(workspace: Workspace) -> None:
    attempt = send(workspace).attempt

    seen: list[Phase] = []

    async def play() -> None:
        listening = asyncio.create_task(listen(workspace, attempt, seen))
        await until(partial(has, seen, 1))
        with Records(workspace) as records:
            job = records.store.jobs.claim("d", [*records.store.jobs.waiting_needs(), Needs()])
            assert job is not None
            for number, stage in enumerate(Stage, start=2):
                records.store.jobs.entered(job.id, job.attempts, stage)
                await until(partial(has, seen, number))
            records.store.jobs.cancel(job.id)
        await listening

    played(play())
    assert seen == [Phase.WAITING, Phase.COMPILING, Phase.CHECKING, Phase.TIMING, Phase.WITHDRAWN]


def test_an_attempt_that_does_not_exist_has_no_states(workspace: Workspace) -> None:
    assert played(phases(LiveWatch(read_states, 0.02), workspace, 7)) == []


def test_an_attempt_that_is_forgotten_ends(workspace: Workspace) -> None:
    attempt = send(workspace).attempt

    seen: list[Phase] = []

    async def play() -> None:
        listening = asyncio.create_task(listen(workspace, attempt, seen))
        await until(partial(has, seen, 1))
        with Records(workspace) as records:
            records.store.forget("ada")
        await listening

    played(play())
    assert seen == [Phase.WAITING]
