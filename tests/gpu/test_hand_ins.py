"""Every mutant and sample submission gives the same answers on a real GPU and on the emulator, right or wrong."""

from collections.abc import Iterator

import numpy as np
import pytest

from grader.engines.cuda.engine import CudaEngine
from grader.engines.emulator.engine import EmulatorEngine
from grader.judge.outputs import arrays_of, mismatch
from grader.labs.lab import Expected
from grader.labs.manifest import Case, Use
from grader.model.devices import TESLA_T4
from grader.model.diagnostic import DiagnosticKind
from grader.model.run import EngineKind, RunOptions, RunResult
from tests.gpu.ladder import gpu_cases, prepared, work_on
from tests.hand_ins import HandIn, built, hand_ins

pytestmark = pytest.mark.gpu

HAND_INS = [hand_in for hand_in in hand_ins() if hand_in.kind != "rung"]

NOT_BUILT = {
    "matmul-sample-student-09-cuda-c": "a syntax error",
    "matmul-sample-student-10-numba": "Python that Numba cannot compile",
    "transpose-sample-student-12-cuda-c": "an empty file",
    "transpose-sample-student-13-cuda-c": "no text",
    "transpose-sample-student-16-cuda-c": "other parameters than the lab's",
}
"""What never becomes device code, and why."""

UNDEFINED = {
    ("matmul-mutant-adds_to_garbage-numba", "matmul"): "adds to an output that nobody wrote",
    ("matmul-mutant-no_first_barrier-cuda-c", "matmul"): "shared-memory race",
    ("matmul-mutant-no_second_barrier-numba", "matmul"): "shared-memory race",
    ("matmul-mutant-one_too_many-cuda-c", "matmul"): "out of bounds",
    ("matmul-mutant-tile_larger_than_block-cuda-c", "matmul"): "reads shared memory that nobody wrote",
    ("matmul-sample-student-05-cuda-c", "matmul"): "shared-memory race",
    ("matmul-sample-student-08-cuda-c", "matmul"): "never ends, which costs a GPU its context",
    ("row-sum-mutant-no_first_barrier-cuda-c", "row_sum_shared"): "shared-memory race",
    ("row-sum-mutant-no_second_barrier-numba", "row_sum_shared_padded"): "shared-memory race",
    ("row-sum-mutant-past_the_row-cuda-c", "row_sum_global"): "out of bounds",
    ("row-sum-mutant-race_on_the_sum-cuda-c", "row_sum_global"): "global-memory race",
    ("row-sum-sample-student-05-cuda-c", "row_sum_shared"): "divergent barrier",
    ("transpose-mutant-no_barrier-cuda-c", "transpose"): "shared-memory race",
    ("transpose-mutant-one_too_many-numba", "transpose"): "out of bounds",
    ("transpose-mutant-tile_not_turned-numba", "transpose"): "reads shared memory that nobody wrote",
    ("transpose-mutant-wrong_row_length-cuda-c", "transpose"): "out of bounds",
    ("transpose-sample-student-11-cuda-c", "transpose"): "out of bounds",
}
"""Kernels that CUDA promises nothing about, so that two engines need not agree; the emulator must say why."""

UNDEFINED_KINDS = {
    DiagnosticKind.OUT_OF_BOUNDS,
    DiagnosticKind.UNINITIALISED,
    DiagnosticKind.SHARED_RACE,
    DiagnosticKind.GLOBAL_RACE,
    DiagnosticKind.DIVERGENT_BARRIER,
    DiagnosticKind.ENDLESS_LOOP,
}

OPTIONS = RunOptions(timeout=30.0, max_steps=20_000_000)

CASES = 4
"""Checking cases of each lab that are run: a single element, whole tiles, and ragged ones."""


@pytest.fixture(scope="module")
def emulator() -> Iterator[EmulatorEngine]:
    engine = EmulatorEngine(TESLA_T4)
    yield engine
    engine.close()


@pytest.mark.parametrize("hand_in", HAND_INS, ids=str)
def test_gpu_and_emulator_agree_on_what_students_hand_in(
    cuda_engine: CudaEngine, emulator: EmulatorEngine, hand_in: HandIn
) -> None:
    module = built(hand_in, cuda_engine.device.arch).module
    assert (module is None) == (str(hand_in) in NOT_BUILT)
    if module is None:
        return
    for kernel in module.kernels:
        given = [prepared(hand_in.lab, case.name) for case in small_cases(hand_in)]
        works = [work_on(hand_in.lab, module, kernel.name, each) for each in given]
        emulated = [emulator.run(work, OPTIONS) for work in works]
        undefined = (str(hand_in), kernel.name) in UNDEFINED
        assert any(promised_nothing(result) for result in emulated) == undefined
        if undefined:
            continue
        for each, work, here in zip(given, works, emulated, strict=True):
            on_gpu = cuda_engine.run(work, OPTIONS)
            assert (on_gpu.fault, here.fault) == (None, None)
            wanted = {
                name: Expected(value=array.astype(np.float64), scale=each.expected[name].scale)
                for name, array in arrays_of(here.outputs, work.plan).items()
            }
            assert mismatch(on_gpu.outputs, work.plan, wanted, hand_in.lab.manifest.tolerance.factor) is None


def small_cases(hand_in: HandIn) -> list[Case]:
    """The first checking cases that both engines run and that nobody times."""
    both = [case for case in gpu_cases(hand_in.lab, Use.CHECK) if EngineKind.EMULATOR in case.engines]
    return [case for case in both if Use.TIME not in case.use][:CASES]


def promised_nothing(result: RunResult) -> bool:
    """Whether the emulator saw something that CUDA leaves undefined."""
    return any(found.kind in UNDEFINED_KINDS for found in result.diagnostics)
