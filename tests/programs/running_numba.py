"""Runs a Numba program of the tests, and keeps what it prints."""

from grader.model.devices import TESLA_T4
from grader.programs.python.program import Numba
from grader.programs.run import RunRequest, run
from tests.programs.running import DATA, Captured, Ran

FOLDER = DATA / "numba"


def ran_python(name: str, *arguments: str, seconds: float = 60) -> Ran:
    """Run a program of the folder ``data/numba`` with ``arguments``."""
    read, start = Numba().read(FOLDER / name, ()), Captured()
    request = RunRequest(device=TESLA_T4, arguments=arguments, seconds=seconds)
    done = run(read.build(), read.sources, request, start.start)
    return Ran(done, start.printed)
