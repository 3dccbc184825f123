"""One run of faults: the processes of a served course, kills at random moments, and what must hold afterwards."""

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from benchmarks import portal_class
from benchmarks.portal_class import LAB
from benchmarks.portal_watcher import Watched, browser, submit_and_watch
from grader.store.job_values import JobEventKind, JobState
from grader.store.ports import Store
from tools.own_postgresql import OwnPostgresql
from tools.portal_process import COURSE, PortalProcess

SERVER, DISPATCHER, WORKER, DATABASE = "server", "dispatcher", "worker", "database"

_PATIENCE = 180.0
"""Seconds after the last submission in which everything must end."""

_DISPATCH = "workers start"
_KILL_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultResult:
    """What a run showed; see ``of`` for the counts that must be 0. Seconds are those of the wall."""

    accepted: int
    lost: int
    doubled: int
    graded_twice: int
    stuck: int
    unended: int
    problems: tuple[str, ...]
    sent_again: int
    connected_again: int
    retried: int
    kills: Mapping[str, int]
    longest_restart: float
    seconds: float

    @property
    def is_right(self) -> bool:
        """Whether nothing was lost, doubled, graded twice, stuck, or left without an end."""
        bad = self.lost + self.doubled + self.graded_twice + self.stuck + self.unended
        return not bad and not self.problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Invariants:
    """How many submissions are lost, stored twice, graded twice, and stuck. All must be 0."""

    lost: int
    doubled: int
    graded_twice: int
    stuck: int

    @classmethod
    def of(cls, store: Store, lab: str, accepted: Mapping[str, int]) -> Self:
        """Count in ``store`` what became of the ``accepted`` attempts by student, when no process works any more."""
        jobs = store.jobs.list(lab=lab)
        recorded = {job.id: _times(store, job.id, JobEventKind.RECORDED) for job in jobs}
        scores = Counter(score.key for score in store.scores.history(lab))
        attempts = {
            student: [each.id for each in store.attempts.recorded(student, lab)] for student in accepted
        }
        kept = {student for student, attempt in accepted.items() if attempt in attempts[student]}
        with_job = {job.key.student for job in jobs}
        return cls(
            lost=len(accepted) - len(kept & with_job),
            doubled=sum(len(found) > 1 for found in attempts.values()),
            graded_twice=sum(recorded[job.id] > 1 or scores[job.key] > 1 for job in jobs),
            stuck=sum(job.state is not JobState.DONE or scores[job.key] < 1 for job in jobs),
        )


def _times(store: Store, job: int, kind: JobEventKind) -> int:
    return sum(event.kind is kind for event in store.jobs.events(job))


class FaultRun:
    """Context manager: a course with ``students`` in the empty ``folder``, and its processes."""

    def __init__(self, folder: Path, students: int, *, postgresql: bool) -> None:
        self._folder = folder
        self._students = students
        self._with_database = postgresql
        self._database: OwnPostgresql | None = None
        self._undo = ExitStack()
        self._longest = 0.0

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            self._course = self._folder / "course"
            self._course.mkdir()
            url = f"sqlite:///{self._course}/store.sqlite"
            if self._with_database:
                data = self._folder / "database"
                data.mkdir()
                self._database = OwnPostgresql(data)
                self._database.start()
                undo.callback(self._database.stop)
                url = self._database.url
            self._workspace = portal_class.make(self._course, url, self._students, 1)
            undo.callback(self._workspace.close)
            self._sessions = portal_class.sign_in(self._workspace, self._students)
            self._server = PortalProcess(self._course)
            undo.callback(self._end)
            self._server.start()
            self._undo = undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()

    def play(self, kills: int, seconds: float, seed: int) -> FaultResult:
        """Let everybody submit within ``seconds``, kill ``kills`` processes in that time, and wait for the end."""
        draw = random.Random(seed)
        began = time.monotonic()
        until = began + seconds + _PATIENCE
        starts = [draw.uniform(0, seconds) for _ in range(self._students)]
        moments = sorted(draw.uniform(1, seconds) for _ in range(kills))
        killed: Counter[str] = Counter()
        with ThreadPoolExecutor(self._students) as pool:
            watching = [
                pool.submit(self._student, number, began + start, until)
                for number, start in enumerate(starts)
            ]
            for moment in moments:
                time.sleep(max(0.0, began + moment - time.monotonic()))
                killed[self._kill(draw)] += 1
            retried = self._wait(lambda: all(each.done() for each in watching), until)
            seen = [each.result() for each in watching]
        accepted = {each.student: each.attempt for each in seen if each.attempt is not None}
        found = Invariants.of(self._store, LAB, accepted)
        return FaultResult(
            accepted=len(accepted),
            lost=found.lost + len(seen) - len(accepted),
            doubled=found.doubled,
            graded_twice=found.graded_twice,
            stuck=found.stuck,
            unended=sum(not each.has_ended for each in seen),
            problems=tuple(each.problem for each in seen if each.problem),
            sent_again=sum(each.sent - 1 for each in seen),
            connected_again=sum(max(0, each.connected - 1) for each in seen),
            retried=retried,
            kills=dict(killed),
            longest_restart=round(self._longest, 1),
            seconds=round(time.monotonic() - began, 1),
        )

    @property
    def _store(self) -> Store:
        assert self._workspace.store is not None
        return self._workspace.store

    def _student(self, number: int, start: float, until: float) -> Watched:
        time.sleep(max(0.0, start - time.monotonic()))
        student = portal_class.student(number)
        with browser(self._server.url, self._sessions[student]) as client:
            return submit_and_watch(client, LAB, student, portal_class.source(number), until)

    def _wait(self, is_over: Callable[[], bool], until: float) -> int:
        """Wait, and let failed jobs wait again as a person does. Returns: how many that were."""
        retried = 0
        while not is_over() and time.monotonic() < until:
            for job in self._store.jobs.list([JobState.FAILED]):
                retried += self._store.jobs.retry(job.id)
            time.sleep(0.2)
        return retried

    def _kill(self, draw: random.Random) -> str:
        """Kill one process of those that are there, and start it again. Returns: its kind."""
        dispatchers = _processes(self._course, _DISPATCH)
        workers = [child for each in dispatchers for child in _children(each)]
        found = {SERVER: True, DISPATCHER: dispatchers, WORKER: workers, DATABASE: self._database}
        kind = draw.choice([kind for kind, there in found.items() if there])
        if kind == SERVER:
            self._server.kill()
            self._longest = max(self._longest, self._server.start())
        elif kind == DATABASE:
            assert self._database is not None
            self._database.kill()
            self._database.start()
        else:
            _kill(draw.choice(dispatchers if kind == DISPATCHER else workers))
        return kind

    def _end(self) -> None:
        """End the server, and the dispatchers that a killed server left."""
        self._server.stop()
        for process in _processes(self._course, ""):
            _kill(process)


def _processes(course: Path, words: str) -> list[psutil.Process]:
    """The processes of the course with ``words`` in their command."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if words in " ".join(process.cmdline()) and process.environ().get(COURSE) == str(course):
                found.append(process)
    return found


def _children(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return process.children(recursive=True)
    return []


def _kill(process: psutil.Process) -> None:
    with suppress(psutil.Error):
        process.kill()
        process.wait(_KILL_SECONDS)
