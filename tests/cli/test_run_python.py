"""``grader run FILE.py``: what a Numba program may do, and files that are none."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.cli.app import run

needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

PROGRAM = """
import sys
import numpy as np
from numba import cuda
from offsets import OFFSET

@cuda.jit
def move(x, by):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += by

x = np.loadtxt("given.txt")
move.forall(x.size)(x, OFFSET)
print(x[0], sys.argv[1:], sys.stdin.read())
try:
    open("made.txt", "w").close()
except OSError as error:
    print(type(error).__name__)
sys.exit(3)
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("code").mkdir()
    Path("code/main.py").write_text(PROGRAM, encoding="utf-8")
    Path("code/offsets.py").write_text("OFFSET = 40.0\n", encoding="utf-8")
    Path("given.txt").write_text("2\n3\n", encoding="utf-8")


@pytest.fixture
def _input(tmp_path: Path) -> Iterator[None]:
    """Standard input with a word."""
    (tmp_path / "input").write_text("typed", encoding="utf-8")
    before, file = os.dup(0), os.open(tmp_path / "input", os.O_RDONLY)
    os.dup2(file, 0)
    os.close(file)
    yield
    os.dup2(before, 0)
    os.close(before)


@needs_bubblewrap
@pytest.mark.usefixtures("_input")
def test_a_program_in_the_sandbox_reads_and_writes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "code/main.py", "--", "one", "two"]) == 3
    assert capfd.readouterr().out == "42.0 ['one', 'two'] typed\nOSError\n"
    assert not Path("made.txt").exists()


def test_a_missing_package_says_what_to_write(capfd: pytest.CaptureFixture[str]) -> None:
    Path("other.py").write_text("import cupy\n", encoding="utf-8")
    assert run(["run", "other.py", "--trust"]) == 1
    said = capfd.readouterr().err
    assert "other.py" in said
    assert "ModuleNotFoundError" in said
    assert "numba.cuda.jit" in said


def test_a_file_that_is_not_there_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "nothing.py"]) == 2
    assert "nothing.py" in capfd.readouterr().err


def test_headers_are_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "code/main.py", "-I", "code"]) == 2
    assert "--include" in capfd.readouterr().err
