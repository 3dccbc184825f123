"""The C++ files around a student's function in the timed mode, and the program that only moves the bytes."""

from collections.abc import Mapping, Sequence
from importlib import resources

from grader.model.kernel import Param
from grader.programs.build import Sources
from grader.programs.harness.sources import harness_sources


def timed_sources(function: str, params: Sequence[Param], own: Mapping[str, bytes]) -> Sources:
    """A program that calls ``int function(params)`` of the files ``own``."""
    return Sources(files=own, harness=_common(function, params))


def floor_sources(params: Sequence[Param]) -> Sources:
    """The program that moves the bytes of ``params`` and computes nothing: none that needs them all is faster."""
    files = _common("floor", params)
    del files["call.cpp"]
    return Sources(files={}, harness={**files, "floor.cpp": _ours("floor.cpp")})


def _common(function: str, params: Sequence[Param]) -> dict[str, bytes]:
    return harness_sources(function, params) | {name: _ours(name) for name in ("main.cpp", "timed.h")}


def _ours(name: str) -> bytes:
    return (resources.files(__package__) / name).read_bytes()
