"""A pytest plugin: what the emulator's own tests launch runs on a real GPU as well and must come out alike.

``python -m pytest -c tests/gpu/pytest.ini -p tests.gpu.both_engines tests/engines/emulator/test_kernels.py``
"""

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.build.resources import link
from grader.engines.cuda.engine import CudaEngine
from grader.engines.emulator.engine import EmulatorEngine
from grader.judge.outputs import arrays_of
from grader.model.device import Device
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.run import RunOptions, RunResult, Work
from tests.engines.emulator import compiling

SEEN: Counter[str] = Counter()
"""What became of the launches: compared, or left out and why."""

ABOUT_TIME = {
    DiagnosticKind.UNCOALESCED,
    DiagnosticKind.BANK_CONFLICT,
    DiagnosticKind.DIVERGENCE,
    DiagnosticKind.ATOMIC_CONTENTION,
    DiagnosticKind.OCCUPANCY,
}
"""Findings that change no answer. A kernel with any other error or warning may do something else on a GPU."""

TOLERANCE = 1e-5
"""Of a float32 result, relative to the largest: the order of atomic additions is the GPU's own."""


class BothEngines:
    """Answers as the emulator does, after a look at what the GPU makes of the same work."""

    def __init__(self, emulator: EmulatorEngine, cuda: CudaEngine) -> None:
        self._emulator = emulator
        self._cuda = cuda

    def run(self, work: Work, options: RunOptions) -> RunResult:
        """The emulator's result. Raises: ``AssertionError`` where the GPU's differs."""
        emulated = self._emulator.run(work, options)
        complaints = [
            found
            for found in emulated.diagnostics
            if found.severity is not Severity.NOTE and found.kind not in ABOUT_TIME
        ]
        if complaints:
            SEEN[f"left out: {complaints[0].kind}"] += 1
            return emulated
        arch = self._cuda.device.arch
        units = tuple(
            replace(unit, cubins={arch: link(unit.ptx, arch, ()).cubin}) for unit in work.module.units
        )
        on_gpu = self._cuda.run(replace(work, module=replace(work.module, units=units)), options)
        assert (on_gpu.fault, emulated.fault) == (None, None)
        theirs, ours = arrays_of(on_gpu.outputs, work.plan), arrays_of(emulated.outputs, work.plan)
        for name, array in ours.items():
            assert alike(theirs[name], array), f"{name} on the GPU: {theirs[name]}; emulated: {array}"
        SEEN["compared"] += 1
        return emulated


def alike(theirs: NDArray[Any], ours: NDArray[Any]) -> bool:
    """Integers to the bit, floats within ``TOLERANCE``; what nobody wrote is poison on both engines."""
    if np.issubdtype(ours.dtype, np.integer):
        return np.array_equal(theirs, ours)
    finite = np.abs(ours[np.isfinite(ours)])
    allowed = TOLERANCE * float(finite.max(initial=0.0))
    return np.allclose(theirs, ours, rtol=0, atol=allowed, equal_nan=True)


def pytest_configure() -> None:
    """Let the tests' runs go to both engines."""
    cuda = CudaEngine()

    @cache
    def engine_for(device: Device) -> BothEngines:
        return BothEngines(EmulatorEngine(device), cuda)

    vars(compiling)["engine_for"] = engine_for


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line for each thing that became of launches."""
    for what, count in sorted(SEEN.items()):
        terminalreporter.write_line(f"{count} launches {what}")
