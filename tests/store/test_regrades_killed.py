"""Killing a process that applies a regrade leaves all of it applied, or nothing."""

import os
import signal
import subprocess
import sys

import pytest

from grader.store.regrade_tables import RowState
from tests.store.examples import fast_report, put_score, submission
from tests.store.opened import opened
from tests.store.regrade_contract import APPLY, points, regrade, states
from tools.paths import CHECKOUT

STUDENTS = ("ada", "bob", "cyd")

_KILLED_AT = """
import os, signal, sys
from grader.store import regrades
from tests.store.opened import opened
from tests.store.regrade_contract import APPLY
url, number, row = sys.argv[1], *map(int, sys.argv[2:])
put, done = regrades.put_score, []

def killed(*what):
    done.append(put(*what))
    if len(done) == row:
        os.kill(os.getpid(), signal.SIGKILL)

regrades.put_score = killed
with opened(url) as store:
    store.regrades.apply(number, APPLY)
"""


@pytest.mark.parametrize("row", [1, len(STUDENTS)])
def test_a_killed_apply_applies_nothing_and_is_done_again(url: str, row: int) -> None:
    works = [submission(student) for student in STUDENTS]
    with opened(url) as store:
        for work in works:
            put_score(store, work, fast_report(work, score=50.0))
        number = regrade(store, *works)
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED_AT, url, str(number), str(row)],
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    with opened(url) as store:
        assert points(store) == dict.fromkeys(STUDENTS, 50.0)
        assert set(states(store, number).values()) == {RowState.PROPOSED}
        assert store.decisions.list() == ()
        assert len(store.regrades.apply(number, APPLY)) == len(STUDENTS)
        assert points(store) == dict.fromkeys(STUDENTS, 90.0)
        assert len(store.decisions.list()) == len(STUDENTS)
