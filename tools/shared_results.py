"""Results that are expensive to compute, shared by all processes of one test run.

pytest-xdist runs the tests in several processes. The first process that needs a result computes it; the others wait and
read it from a folder of the run, which ``tests/conftest.py`` makes and removes. Without that folder, as in benchmarks,
every call computes its result.
"""

import fcntl
import hashlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from grader.compile import build
from grader.model.build import BuildOutcome, BuildRequest
from grader.worker import wire

T = TypeVar("T")

FOLDER_VARIABLE = "GRADER_TEST_SHARED"
"""The environment variable with the run's folder."""


def shared(key: bytes, compute: Callable[[], T]) -> T:
    """The result of ``compute``, which must depend on ``key`` alone and be picklable."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        return compute()
    path = Path(folder) / hashlib.sha256(key).hexdigest()
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            found: T = pickle.loads(path.read_bytes())  # noqa: S301 - written by this test run
            return found
        result = compute()
        unfinished = path.with_suffix(".new")
        unfinished.write_bytes(pickle.dumps(result))
        unfinished.replace(path)
        return result


def shared_build(request: BuildRequest) -> BuildOutcome:
    """The build of ``request``, once for all tests of a run. It is keyed by the request's content."""
    return shared(b"build " + wire.encode(request), lambda: build(request))
