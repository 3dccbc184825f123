"""Run one file that the labs ship on the emulator and write the whole result to standard output.

``python -m tests.engines.emulator.replay matmul-rung-shared-cuda-c``
"""

import sys

import msgspec

from grader.engines.emulator.engine import EmulatorEngine
from grader.labs.manifest import Use
from grader.model.devices import TESLA_T4
from grader.model.run import EngineKind, RunOptions, RunResult
from tools.rung_kernels import gpu_cases, graded_in, job_on, prepared
from tools.shipped_submissions import ShippedSubmission, built, shipped_submissions

SCENES = [
    "matmul-rung-shared-cuda-c",
    "row-sum-rung-shared-numba",
    "matmul-mutant-no_first_barrier-cuda-c",
    "matmul-mutant-one_too_many-cuda-c",
    "row-sum-mutant-race_on_the_sum-cuda-c",
    "transpose-mutant-tile_not_turned-numba",
]
"""Correct submissions, and ones with several findings: races, out-of-bounds accesses, uninitialised reads."""


def results(submission: ShippedSubmission) -> list[RunResult]:
    """The emulator's results for every kernel and program of a submission on the lab's first cases."""
    engine, lab = EmulatorEngine(TESLA_T4), submission.lab
    module = built(submission, TESLA_T4.arch).module
    assert module is not None
    cases = [
        c for c in gpu_cases(lab, Use.CHECK) if EngineKind.EMULATOR in c.engines and Use.TIME not in c.use
    ]
    jobs = [
        job_on(lab, module, name, prepared(lab, case.name))
        for name in graded_in(lab, module)
        for case in cases[:4]
    ]
    return [engine.run(job, RunOptions()) for job in jobs]


def main() -> None:
    """Write the results as JSON, with every field."""
    (submission,) = (each for each in shipped_submissions() if str(each) == sys.argv[1])
    sys.stdout.buffer.write(msgspec.json.encode(results(submission)))


if __name__ == "__main__":
    main()
