"""Graders on one store: threads and processes lose nothing, and share the work."""

import os
import signal
import subprocess
import sys
import textwrap
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.store.examples import NOON, new_score, put_score, submission
from tests.store.opened import opened
from tools.paths import CHECKOUT

_WORKS = [f"student-{number:02}" for number in range(24)]
_LEASE = 3.0

_PUT = textwrap.dedent("""
    import sys
    from tests.store.examples import put_score, submission
    from tests.store.opened import opened
    url, who, count = sys.argv[1:]
    with opened(url) as store:
        for number in range(int(count)):
            put_score(store, submission(f"{who}-{number:04}"))
            print(number, flush=True)
""")

_SHARE = textwrap.dedent("""
    import sys, time
    from tests.store.examples import put_score, submission
    from tests.store.opened import opened
    url, who, seconds, *works = sys.argv[1:]
    with opened(url) as store:
        left = set(works)
        while left:
            for work in sorted(left):
                if store.scores.latest(work, "row-sum") is not None:
                    left.remove(work)
                elif store.claims.claim(work, who, float(seconds)):
                    # Another grader may have finished it between the two questions.
                    if store.scores.latest(work, "row-sum") is None:
                        print("starts", flush=True)
                        time.sleep(0.05)
                        put_score(store, submission(work))
                    store.claims.release(work, who)
                    left.remove(work)
            time.sleep(0.02)
""")


def _started(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stdout=subprocess.PIPE,
        text=True,
    )


def _scores(url: str) -> list[str]:
    with opened(url) as store:
        return [score.key.student for score in store.scores.history()]


def test_threads_may_share_a_store(url: str) -> None:
    with opened(url) as store:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda name: put_score(store, submission(name)), _WORKS))
        assert [score.key.student for score in store.scores.latest_all()] == _WORKS


def test_threads_that_submit_the_same_work_store_it_once(url: str) -> None:
    with opened(url) as store:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: store.submissions.put(submission(), NOON), range(16)))
        assert len(store.submissions.list()) == 1
        assert store.scores.put(new_score(submission()), NOON).key.student == "student-01"


def test_graders_that_start_at_once_on_a_new_store_lose_nothing(url: str) -> None:
    graders = [_started(_PUT, url, who, 30) for who in ("left", "right")]
    for process in graders:
        process.communicate(timeout=600)
        assert process.returncode == 0
    assert len(_scores(url)) == 60


def test_kill_9_loses_no_score_that_was_put(url: str) -> None:
    with _started(_PUT, url, "student", 9999) as process:
        assert process.stdout is not None
        while int(process.stdout.readline()) < 20:
            pass
        process.send_signal(signal.SIGKILL)
        # communicate() would miss the lines that readline() has already buffered.
        lines = process.stdout.read().split()
    last = int(lines[-1]) if lines else 20
    # The process may have stored one more score before it could print its number.
    assert len(_scores(url)) in {last + 1, last + 2}


def test_two_graders_share_the_work(url: str) -> None:
    graders = [_started(_SHARE, url, who, 60, *_WORKS) for who in ("left", "right")]
    outputs = [grader.communicate(timeout=600)[0] for grader in graders]
    assert [grader.returncode for grader in graders] == [0, 0]
    assert Counter(_scores(url)) == dict.fromkeys(_WORKS, 1)
    assert sum(output.count("starts") for output in outputs) == len(_WORKS)


@pytest.mark.faults
def test_a_grader_takes_over_from_one_that_was_killed(url: str) -> None:
    with _started(_SHARE, url, "killed", _LEASE, *_WORKS) as killed:
        assert killed.stdout is not None
        for _ in range(5):
            killed.stdout.readline()
        killed.send_signal(signal.SIGKILL)
    other = _started(_SHARE, url, "other", _LEASE, *_WORKS)
    other.communicate(timeout=600)
    assert other.returncode == 0
    assert set(Counter(_scores(url)).values()) == {1}
    assert set(_scores(url)) == set(_WORKS)
