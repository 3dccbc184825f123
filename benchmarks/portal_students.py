"""The students of a deadline, as users of locust.

It is a process of its own, because locust changes Python's sockets and ``time.sleep``.

``python -m benchmarks.portal_students PLAN SEEN`` reads a ``Plan`` and writes a ``Seen``, both JSON. Each student opens
the lab at a random moment, submits a file, asks for the place in the queue, opens the page of the attempt and listens
until the last state.
"""

import random
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
from locust import HttpUser, task
from locust.env import Environment
from locust.exception import StopUser

from benchmarks.portal_class import source

FINAL = "data-final"
"""What the live part of an attempt has in its last state."""


class Plan(msgspec.Struct, kw_only=True):
    """Students with ``sessions`` submit for ``lab`` at ``url`` within ``seconds``; it ends ``patience`` s later."""

    url: str
    lab: str
    sessions: dict[str, str]
    seconds: float
    patience: float
    seed: int = 1


class Listened(msgspec.Struct, kw_only=True):
    """What one student saw.

    ``phase`` and ``ahead`` answer the question for the place in the queue; ``final_at`` is when the last state came.
    Times are POSIX seconds.
    """

    attempt: int
    submitted_at: float
    phase: str
    ahead: int | None
    states: int
    final_at: float | None


class Seen(msgspec.Struct, kw_only=True):
    """By student what was accepted, the seconds of each kind of request, and what failed."""

    students: dict[str, Listened]
    seconds: dict[str, list[float]]
    failures: list[str]


class Students(Environment):
    """The run: what its users take from and write to."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(user_classes=[Student], host=plan.url)
        self.plan = plan
        self.waiting = list(plan.sessions.items())
        self.draw = random.Random(plan.seed)
        self.began = time.monotonic()
        self.seen = Seen(students={}, seconds=defaultdict(list), failures=[])
        self.ended = 0
        self.events.request.add_listener(self._note)  # type: ignore[no-untyped-call]  # locust gives it no types

    def _note(self, *, name: str, response_time: float, exception: Any = None, **_: Any) -> None:
        if exception is None:
            self.seen.seconds[name].append(response_time / 1000)
        else:
            self.seen.failures.append(f"{name}: {exception!r}")

    @property
    def is_over(self) -> bool:
        """Whether everybody ended, or time is over."""
        plan = self.plan
        late = time.monotonic() - self.began > plan.seconds + plan.patience
        return late or self.ended == len(plan.sessions)


class Student(HttpUser):
    """One student."""

    environment: Students

    @task
    def deadline(self) -> None:
        """Submit once, and listen."""
        run = self.environment
        if not run.waiting:
            raise StopUser
        person, session = run.waiting.pop()
        time.sleep(run.draw.uniform(0, run.plan.seconds))
        self.client.cookies.set("grader-session", session)
        try:
            self._submit(person)
        finally:
            run.ended += 1
        raise StopUser

    def _submit(self, person: str) -> None:
        run, lab = self.environment, self.environment.plan.lab
        self.client.get(f"/labs/{lab}", name="lab")
        answer = self.client.post(
            f"/labs/{lab}/attempts",
            name="submit",
            files={"file": (f"{lab}.cu", source(int(person[1:])))},
            headers={"Origin": run.plan.url},
            allow_redirects=False,
        )
        at = time.time()
        if answer.status_code != 303:
            run.seen.failures.append(f"submit: {answer.status_code}")
            return
        path = answer.headers["location"]
        place = self.client.get(f"{path}/state", name="state").json()
        seen = Listened(
            attempt=place["attempt"],
            submitted_at=at,
            phase=place["phase"],
            ahead=place["ahead"],
            states=0,
            final_at=None,
        )
        run.seen.students[person] = seen
        self.client.get(path, name="attempt")
        stream = self.client.get(f"{path}/events", name="events", stream=True)
        for line in stream.iter_lines():
            seen.states += line.startswith(b"id:")
            if FINAL.encode() in line and seen.final_at is None:
                seen.final_at = time.time()


def play(plan: Plan) -> Seen:
    """Let everybody submit."""
    run = Students(plan)
    runner = run.create_local_runner()
    runner.start(len(plan.sessions), spawn_rate=len(plan.sessions))
    while not run.is_over:
        time.sleep(0.1)
    runner.quit()
    return run.seen


if __name__ == "__main__":
    given = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Plan)
    Path(sys.argv[2]).write_bytes(msgspec.json.encode(play(given)))
