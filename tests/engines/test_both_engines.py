"""The comparison of the emulator's launches with a GPU; here another emulator replaces the GPU."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from grader.engines.emulator.engine import EmulatorEngine
from grader.model.devices import TESLA_T4
from grader.model.reason import as_written
from grader.model.run import Fault, LaunchJob, RunOptions, RunResult
from grader.model.verdict import Verdict
from tests.gpu import both_engines
from tests.gpu.both_engines import DIFFERENT, LEFT_OUT, SEEN, BothEngines
from tools.emulator.compiling import InOut, job_of, ptx_of

ADDS = 'extern "C" __global__ void k(int* x) { x[threadIdx.x] += 1; }'
BEYOND = 'extern "C" __global__ void k(int* x) { x[threadIdx.x + 5] += 1; }'
RACES = 'extern "C" __global__ void k(int* x) { x[0] = threadIdx.x; }'


class PlayedGpu:
    """Returns the emulator's results with the first element off by ``off``, or with ``fault``."""

    def __init__(self, off: int = 0, fault: Fault | None = None) -> None:
        self.device, self.poisoned, self.launches = TESLA_T4, False, 0
        self._off, self._fault = off, fault

    def run(self, job: LaunchJob, options: RunOptions) -> RunResult:
        self.launches += 1
        self.poisoned = self._fault is not None
        result = EmulatorEngine(TESLA_T4).run(job, options)
        array = np.frombuffer(result.outputs["x"], np.int32).copy()
        array[0] += self._off
        return replace(result, outputs={"x": array.tobytes()}, fault=self._fault)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(both_engines.CURRENT, "name", "some test")
    SEEN.clear()
    DIFFERENT.clear()
    yield
    SEEN.clear()
    DIFFERENT.clear()


def compare(gpu: PlayedGpu, source: str, *, diagnostics: bool = True) -> None:
    job = job_of(ptx_of(source), "k", 1, 32, {"x": InOut(np.zeros(32, np.int32))})
    BothEngines(EmulatorEngine(TESLA_T4), gpu).run(job, RunOptions(diagnostics=diagnostics))


def test_equal_answers_are_no_difference() -> None:
    compare(PlayedGpu(), ADDS)
    assert (SEEN, DIFFERENT) == ({"compared": 1}, [])


def test_a_difference_is_reported_in_one_line() -> None:
    compare(PlayedGpu(off=7), ADDS)
    assert DIFFERENT == ["some test: x: 1 of 32 elements; at 0 the GPU has 8, the emulator 1"]


@pytest.mark.parametrize(("source", "kind"), [(BEYOND, "out of bounds"), (RACES, "global-memory race")])
@pytest.mark.parametrize("diagnostics", [False, True])
def test_what_cuda_leaves_undefined_is_never_launched(source: str, kind: str, *, diagnostics: bool) -> None:
    gpu = PlayedGpu()
    compare(gpu, source, diagnostics=diagnostics)
    assert (SEEN, gpu.launches) == ({f"left out: {kind}": 1}, 0)


def test_a_test_in_the_table_is_never_launched(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu, (name, reason) = PlayedGpu(), next(iter(LEFT_OUT.items()))
    monkeypatch.setattr(both_engines.CURRENT, "name", name)
    compare(gpu, ADDS)
    assert (SEEN, gpu.launches) == ({f"left out: {reason}": 1}, 0)


def test_nothing_is_launched_when_the_context_is_lost() -> None:
    gpu = PlayedGpu(fault=Fault(verdict=Verdict.CRASHED, reason=as_written("an illegal address")))
    compare(gpu, ADDS)
    compare(gpu, ADDS)
    assert gpu.launches == 1
    assert DIFFERENT == ["some test: the GPU says an illegal address"]
    assert SEEN == {"compared": 1, "lost with the CUDA context": 1}
