"""A machine with packages that break Numba's CUDA target: importing it raises an error in every worker."""

import sys

import msgspec
import pytest

from grader.sandbox import process
from grader.worker.messages import WorkerSettings

REASON = "module 'numpy' has no attribute 'row_stack'"

_BROKEN = f"""
import runpy, sys
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "numba.cuda":
            raise AttributeError({REASON!r})
sys.meta_path.insert(0, Broken())
runpy.run_module(sys.argv.pop(1), run_name="__main__")
"""


def break_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break Numba in the workers of process sandboxes that start from now on."""

    def command(module: str, settings: WorkerSettings) -> list[str]:
        return [sys.executable, "-I", "-c", _BROKEN, module, msgspec.json.encode(settings).decode()]

    monkeypatch.setattr(process, "_command", command)
