"""The compiled interpreter is kept on disk: the first process compiles it, later ones load it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cache import CACHE_VARIABLE, cache_folder
from grader.engines.emulator.warm_up import is_warm, warm_up

_START = """
from grader.engines.emulator.warm_up import is_warm, warm_up
was_warm = is_warm()
warm_up()
print(was_warm, is_warm())
"""


def start(folder: Path | None) -> tuple[bool, bool]:
    """Warm up in a new process. Returns: whether it was warm before, and whether it is warm now."""
    environment = os.environ | ({CACHE_VARIABLE: str(folder)} if folder else {})
    done = subprocess.run(
        [sys.executable, "-c", _START], capture_output=True, text=True, check=True, env=environment
    )
    was, now = done.stdout.split()
    return was == "True", now == "True"


def test_the_variable_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv(CACHE_VARIABLE)
    assert cache_folder().name == "grader"


def test_a_later_start_finds_the_machine_code() -> None:
    warm_up()
    assert is_warm()
    assert start(None) == (True, True)


def test_a_first_start_fills_the_cache(tmp_path: Path) -> None:
    assert start(tmp_path / "new") == (False, True)
    assert start(tmp_path / "new") == (True, True)
