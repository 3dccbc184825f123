"""Jobs under Slurm and on a second host while workers, pools and the server are killed at random points.

Afterwards every job has exactly one result, no device was shared, urgent jobs were next, and no process is left. It
needs root, and Slurm as ``.ci/start-slurm`` starts it.
"""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from grader.config.settings import Config, StoreSettings
from grader.execution.parsl_pool import pool_command, pool_environment
from grader.execution.worker_keys import host_keys
from grader.model.needs import ComputeDevice
from grader.store.job_values import JobEventKind, JobState, Lane
from grader.store.ports import Store
from grader.store.sql_store import open_store
from tools.chaos_server import GPUS
from tools.fake_jobs import submit
from tools.fake_work import FOLDER, Order
from tools.far_host import NAME, FarHost, far_host
from tools.paths import CHECKOUT

FAR = ComputeDevice(id="GPU-far", engine="cuda", model="Fake")

IN_FLIGHT = GPUS + 1
"""Jobs that an executor holds at most; an urgent job waits for no others."""

KINDS = ("worker", "pool", "server")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChaosResult:
    """What one round showed. ``orphan_seconds`` is how long processes lived on after the last server was killed.

    ``retried`` jobs lost three attempts to the kills, and a person let them wait again.
    """

    jobs: int
    recorded: int
    doubled: int
    shared: int
    late_urgent: int
    left: int
    orphan_seconds: float
    retried: int
    kills: dict[str, int]
    attempts: int
    by_far_host: int
    far_network: bool
    seconds: float

    @property
    def is_right(self) -> bool:
        """Whether nothing was lost, doubled, shared, late or left behind."""
        bad = self.doubled + self.shared + self.late_urgent + self.left
        return self.recorded == self.jobs and not bad


def chaos(folder: Path, jobs: int, kills: int, seed: int, deadline_seconds: float) -> ChaosResult:
    """One round in the empty ``folder``. Raises: ``TimeoutError`` if jobs are unfinished after the deadline."""
    draw = random.Random(seed)
    (folder / "devices").mkdir()
    url = f"sqlite:///{folder}/store.sqlite"
    started = time.monotonic()
    with ExitStack() as undo:
        store = open_store(Config(base=folder, store=StoreSettings(url=url)))
        undo.callback(store.close)
        host = undo.enter_context(far_host())
        run = _Round(folder, url, host)
        undo.callback(run.end)
        run.begin()
        added = [
            submit(store, f"s{number}", Order(seconds=draw.uniform(0.02, 0.2)), lane=Lane.CLASS).id
            for number in range(jobs)
        ]
        done_at_kill = sorted(draw.sample(range(jobs // 20, jobs * 4 // 5), kills))
        urgent: dict[int, float] = {}
        killed: Counter[str] = Counter()
        retried = 0
        while (done := len(store.jobs.list([JobState.DONE]))) < len(added):
            if time.monotonic() - started > deadline_seconds:
                states = Counter(job.state for job in store.jobs.list())
                raise TimeoutError(dict(states))
            if done_at_kill and done >= done_at_kill[0]:
                done_at_kill.pop(0)
                kind = KINDS[len(done_at_kill) % len(KINDS)]
                killed[kind] += run.kill(kind, draw)
                if kind == "worker":
                    job = submit(store, f"urgent{len(urgent)}", Order()).id
                    urgent[job] = time.time()
                    added.append(job)
            for failed in store.jobs.list([JobState.FAILED]):
                retried += store.jobs.retry(failed.id)
            run.keep_far_host()
            time.sleep(0.05)
        left, orphan_seconds = run.kill_all()
        lines = run.log()
        return ChaosResult(
            jobs=len(added),
            recorded=len({score.key.student for score in store.scores.history()}),
            doubled=len(store.scores.history()) - len(added) + _recorded_twice(store, added),
            shared=sum(line[-1] == "shared" for line in lines),
            late_urgent=sum(_overtaken(lines, job, at) > 2 * IN_FLIGHT for job, at in urgent.items()),
            left=left,
            orphan_seconds=round(orphan_seconds, 1),
            retried=retried,
            kills=dict(killed),
            attempts=sum(line[1] == "start" for line in lines),
            by_far_host=sum(line[1] == "start" and line[4] == FAR.id for line in lines),
            far_network=host.has_network,
            seconds=round(time.monotonic() - started, 1),
        )


class _Round:
    """The processes of a round."""

    def __init__(self, folder: Path, url: str, host: FarHost) -> None:
        self._folder = folder
        self._url = url
        self._host = host
        self._port = _unused_port()
        self._server: subprocess.Popen[bytes] | None = None
        self._far: subprocess.Popen[bytes] | None = None
        # Pools keep what they inherit: a pipe would never end.
        self._output = (folder / "output").open("ab")

    def begin(self) -> None:
        """Make the key of the second host, and start the server."""
        self._keys = host_keys(self._folder / "workers", NAME, self._folder / "far-keys")
        self._start_server()

    def keep_far_host(self) -> None:
        """Start the second host's workers again if they ended, as systemd does."""
        if self._far is not None and self._far.poll() is None:
            return
        command = pool_command(self._host.address, self._port, self._keys, [FAR], 1)
        self._far = self._opened([*self._host.prefix, *command], self._folder, pool_environment())

    def kill(self, kind: str, draw: random.Random) -> int:
        """Kill one process of ``kind``. Returns: how many that were."""
        if kind == "server":
            assert self._server is not None
            self._server.send_signal(signal.SIGKILL)
            self._server.wait()
            self._start_server()
            return 1
        found = self._running_workers() if kind == "worker" else self._pools()
        if not found:
            return 0
        draw.choice(found).kill()
        return 1

    def kill_all(self) -> tuple[int, float]:
        """Kill the server and end the second host. Returns: processes left after a minute, and how long they took."""
        if self._far is not None:
            self._far.terminate()
        assert self._server is not None
        self._server.send_signal(signal.SIGKILL)
        self._server.wait()
        started = time.monotonic()
        while (left := len(self._named("") + _slurm_jobs())) and time.monotonic() - started < 60:
            time.sleep(0.5)
        for process in self._named(""):
            with _may_have_ended():
                self._output.write(f"left: {process.pid} {process.cmdline()}\n".encode())
        return left, time.monotonic() - started

    def end(self) -> None:
        """Kill what is there still, by pid."""
        for process in self._named(""):
            process.kill()
        for job in _slurm_jobs():
            subprocess.run(["scancel", str(job)], check=False)  # noqa: S607 - the batch system's own tool
        for started in (self._server, self._far):
            if started is not None:
                started.kill()
                started.wait()
        self._output.close()

    def log(self) -> list[list[str]]:
        """The lines of the fake devices: time, what, job, attempt, device, and the pid or whether it was shared."""
        return [line.split() for line in (self._folder / "devices" / "log").read_text().splitlines()]

    def _start_server(self) -> None:
        command = [sys.executable, "-m", "tools.chaos_server", self._url, str(self._folder)]
        arguments = [self._host.address, str(self._port)]
        self._server = self._opened([*command, *arguments], CHECKOUT, os.environ)

    def _running_workers(self) -> list[psutil.Process]:
        """Those that run a job now, by the log of the fake devices."""
        open_jobs: dict[tuple[str, str], int] = {}
        for _, what, job, attempt, _, last in self.log():
            if what == "start":
                open_jobs[job, attempt] = int(last)
            else:
                open_jobs.pop((job, attempt), None)
        found = []
        for pid in open_jobs.values():
            with _may_have_ended():
                process = psutil.Process(pid)
                if "parsl" in " ".join(process.cmdline()) or self._belongs(process):
                    found.append(process)
        return found

    def _pools(self) -> list[psutil.Process]:
        """The pools, without what guards them."""
        return [
            each
            for each in self._named("process_worker_pool")
            if "pool_guard" not in " ".join(each.cmdline())
        ]

    def _named(self, word: str) -> list[psutil.Process]:
        """The processes of this round with ``word`` in their command."""
        found = []
        for process in psutil.process_iter():
            with _may_have_ended():
                if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                    continue
                if word in " ".join(process.cmdline()) and self._belongs(process):
                    found.append(process)
        return found

    def _belongs(self, process: psutil.Process) -> bool:
        variables = process.environ()
        return variables.get(FOLDER) == str(self._folder / "devices")

    def _opened(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> "subprocess.Popen[bytes]":
        own = {FOLDER: str(self._folder / "devices"), "PYTHONPATH": str(CHECKOUT)}
        return subprocess.Popen(
            command,
            cwd=folder,
            env={**environment, **own},
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
        )


@contextmanager
def _may_have_ended() -> Iterator[None]:
    with suppress(psutil.Error):
        yield


def _slurm_jobs() -> list[int]:
    listed = subprocess.run(
        ["squeue", "--noheader", "--format=%i"],  # noqa: S607 - the batch system's own tool
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(job) for job in listed.stdout.split()]


def _recorded_twice(store: Store, jobs: list[int]) -> int:
    kinds = (Counter(event.kind for event in store.jobs.events(job)) for job in jobs)
    return sum(found[JobEventKind.RECORDED] != 1 for found in kinds)


def _overtaken(lines: list[list[str]], urgent: int, at: float) -> int:
    """How many other jobs began after the urgent one was submitted, and before it."""
    count = 0
    for when, what, job, *_ in lines:
        if what == "start" and float(when) > at:
            if int(job) == urgent:
                return count
            count += 1
    return count


def _unused_port() -> int:
    with socket.socket() as listening:
        listening.bind(("0.0.0.0", 0))  # noqa: S104 - only to find a port that is free on every address
        return int(listening.getsockname()[1])
