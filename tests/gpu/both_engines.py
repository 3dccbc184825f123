"""A pytest plugin: runs each launch of the emulator's tests on a real GPU as well and compares the results.

``python -m pytest -c tests/gpu/pytest.ini -p tests.gpu.both_engines tests/engines/emulator/test_kernels.py``
"""

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any, Protocol

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.compile.resources import link
from grader.engines.cuda.engine import CudaEngine
from grader.engines.emulator.engine import EmulatorEngine
from grader.judge.outputs import arrays_of
from grader.model.device import Device
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.run import LaunchJob, RunOptions, RunResult
from tools.emulator import compiling
from tools.messages import english

SEEN: Counter[str] = Counter()
"""The outcomes of the launches: compared, or left out with the reason."""

DIFFERENT: list[str] = []
"""The differences, one line each; any difference fails the session after all comparisons."""

LEFT_OUT = {
    "test_atomics_return_what_was_there_before": "which lane's atomic comes first is the GPU's own choice",
    "test_special_registers_tell_where_a_thread_is": "%warpid is a place in the hardware, by PTX's own words",
    "test_recursion_overflows_beyond_the_stated_depth": "CUDA's stack is smaller unless it is set",
}
"""Tests with launches that may rightly give other results on a GPU, or end its CUDA context, with the reason."""

ABOUT_TIME = {
    DiagnosticKind.UNCOALESCED,
    DiagnosticKind.BANK_CONFLICT,
    DiagnosticKind.DIVERGENCE,
    DiagnosticKind.ATOMIC_CONTENTION,
    DiagnosticKind.OCCUPANCY,
}
"""Findings that change no result. A kernel with any other error or warning may behave differently on a GPU."""

TOLERANCE = 1e-5
"""Of a float32 result, relative to the largest: the order of atomic additions depends on the GPU."""


_WIDTH = 300
"""Longest line, in characters."""


class _Current:
    """The running test; ``name`` excludes the parameters."""

    name = ""


CURRENT = _Current()


class Gpu(Protocol):
    """The part of the GPU engine that the plugin uses."""

    @property
    def device(self) -> Device:
        """The engine's device."""

    @property
    def poisoned(self) -> bool:
        """Whether the engine has lost its CUDA context."""

    def run(self, job: LaunchJob, options: RunOptions) -> RunResult:
        """Run as the engine port specifies."""


class BothEngines:
    """Returns the emulator's results after comparing them with the GPU's results for the same job."""

    def __init__(self, emulator: EmulatorEngine, cuda: Gpu) -> None:
        self._emulator = emulator
        self._cuda = cuda

    def run(self, job: LaunchJob, options: RunOptions) -> RunResult:
        """Return the emulator's result; differences on the GPU go to ``DIFFERENT``."""
        emulated = self._emulator.run(job, options)
        reason = LEFT_OUT.get(CURRENT.name) or self._undefined(job, options, emulated)
        if reason is not None:
            SEEN[f"left out: {reason}"] += 1
        elif self._cuda.poisoned:
            SEEN["lost with the CUDA context"] += 1
        else:
            SEEN["compared"] += 1
            DIFFERENT.extend(f"{CURRENT.name}: {line}" for line in self._differences(job, options, emulated))
        return emulated

    def _undefined(self, job: LaunchJob, options: RunOptions, emulated: RunResult) -> str | None:
        """Return why the job must not run on a GPU; always from a diagnosed run, which detects races as well."""
        watched = emulated
        if not options.diagnostics:
            watched = self._emulator.run(job, replace(options, diagnostics=True))
        for found in watched.diagnostics:
            if found.severity is not Severity.NOTE and found.kind not in ABOUT_TIME:
                return str(found.kind)
        fault = emulated.fault or watched.fault
        return english(fault.reason) if fault is not None else None

    def _differences(self, job: LaunchJob, options: RunOptions, emulated: RunResult) -> list[str]:
        """Describe the differences in at most three lines."""
        arch = self._cuda.device.arch
        units = tuple(
            replace(unit, cubins={arch: link(unit.ptx, arch, ()).cubin}) for unit in job.module.units
        )
        on_gpu = self._cuda.run(replace(job, module=replace(job.module, units=units)), options)
        if on_gpu.fault is not None:
            return [f"the GPU says {english(on_gpu.fault.reason)}"[:_WIDTH]]
        theirs, ours = arrays_of(on_gpu.outputs, job.plan), arrays_of(emulated.outputs, job.plan)
        return [
            f"{name}: {first_difference(theirs[name], array)}"
            for name, array in ours.items()
            if not alike(theirs[name], array)
        ][:3]


def first_difference(theirs: NDArray[Any], ours: NDArray[Any]) -> str:
    """Describe in one line where two arrays first differ."""
    theirs, ours = theirs.ravel(), ours.ravel()
    same = np.isclose(theirs, ours, rtol=0, atol=0, equal_nan=True)
    at = np.flatnonzero(~same)
    return f"{at.size} of {ours.size} elements; at {at[0]} the GPU has {theirs[at[0]]}, the emulator {ours[at[0]]}"


def alike(theirs: NDArray[Any], ours: NDArray[Any]) -> bool:
    """Compare integers exactly and floats within ``TOLERANCE``; unwritten elements hold poison on both engines."""
    if np.issubdtype(ours.dtype, np.integer):
        return np.array_equal(theirs, ours)
    finite = np.abs(ours[np.isfinite(ours)])
    allowed = TOLERANCE * float(finite.max(initial=0.0))
    return np.allclose(theirs, ours, rtol=0, atol=allowed, equal_nan=True)


def pytest_configure() -> None:
    """Send the tests' runs to both engines."""
    cuda = CudaEngine()

    @cache
    def engine_for(device: Device) -> BothEngines:
        return BothEngines(EmulatorEngine(device), cuda)

    vars(compiling)["engine_for"] = engine_for


def pytest_runtest_setup(item: pytest.Function) -> None:
    """Remember the test that makes the next launches."""
    CURRENT.name = item.originalname


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the session if any result differed, after all comparisons."""
    if DIFFERENT or SEEN["lost with the CUDA context"]:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print one line for each outcome of the launches, then the differences."""
    for what, count in sorted(SEEN.items()):
        terminalreporter.write_line(f"{count} launches {what}")
    for line in DIFFERENT:
        terminalreporter.write_line(f"DIFFERENT {line}")
