"""A machine with packages that break Numba's CUDA target: importing it raises an error in every worker."""

import sys

import msgspec
import pytest

from grader.sandbox import process
from grader.worker.messages import WorkerSettings

REASON = "Numba needs NumPy 2.4 or less. Got NumPy 2.5."

_BROKEN = f"""
import runpy, sys
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "numba.cuda":
            raise ERROR({REASON!r})
sys.meta_path.insert(0, Broken())
runpy.run_module(sys.argv.pop(1), run_name="__main__")
"""


def break_numba(monkeypatch: pytest.MonkeyPatch, error: type[Exception] = ImportError) -> None:
    """Break Numba in the workers of process sandboxes that start from now on: its import raises ``error``."""
    code = _BROKEN.replace("ERROR", error.__name__)

    def command(module: str, settings: WorkerSettings) -> list[str]:
        return [sys.executable, "-I", "-c", code, module, msgspec.json.encode(settings).decode()]

    monkeypatch.setattr(process, "_command", command)
