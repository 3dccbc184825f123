"""Programs that are timed end to end: the five steps of a lecture's sum, and attacks on the clock."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from grader.grading.programs.timing import Arrays, ProgramTimes, TimedPrograms, time_program
from grader.model.kernel import Param
from grader.model.reason import Reason, reason
from grader.programs.gpu.compile import compile_for_gpu
from grader.programs.gpu.device import gpu_device
from grader.programs.start import Start
from grader.programs.timed.program import Parameter
from grader.programs.timed.sources import floor_sources, timed_sources
from grader.programs.toolchain import find_toolchain
from grader.sandbox.gpu import chosen_uuid
from grader.sandbox.program_start import unconfined
from tools.paths import CHECKOUT

PROGRAMS = CHECKOUT / "tests" / "gpu" / "programs" / "timed"
PARAMS = tuple(map(Param.parse, ("const float32 x[n]", "int32 n", "float32 sum[1]")))
TOLERANCE = 1e-5
STEPS = range(5)
PAGEABLE, COALESCED, PINNED, STREAMS, SHARED = STEPS


@dataclass(frozen=True, slots=True)
class Sums:
    """The judge's view of sums of ``n`` floats."""

    n: int

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters with their sizes."""
        x, n, total = PARAMS
        return Parameter(param=x, size=self.n), Parameter(param=n, number=self.n), Parameter(param=total)

    def draw(self) -> Arrays:
        """New inputs."""
        x = np.random.default_rng().integers(0, 1000, self.n, np.uint16).astype(np.float32)
        return {"x": x}

    def wrong(self, inputs: Arrays, outputs: Arrays) -> Reason | None:
        """What is wrong with ``outputs``."""
        right = float(inputs["x"].sum(dtype=np.float64))
        if abs(float(outputs["sum"][0]) - right) <= TOLERANCE * right:
            return None
        return reason("wrong-while-timed", count=1, size=1, buffer="sum")


@cache
def built(name: str, step: int | None = None) -> bytes:
    """A program of the folder, with our main; of the steps ``step``."""
    source = (PROGRAMS / f"{name}.cu").read_bytes()
    defined = b"" if step is None else f"#define STEP {step}\n".encode()
    sources = timed_sources("total", PARAMS, {f"{name}.cu": defined + source})
    return compile_for_gpu(sources, find_toolchain(), gpu_device().arch)


@cache
def floor() -> bytes:
    """The program that moves the bytes alone."""
    return compile_for_gpu(floor_sources(PARAMS), find_toolchain(), gpu_device().arch)


def timed(
    submission: bytes,
    reference: bytes,
    n: int,
    *,
    start: Start = unconfined,
    least: bytes | None = None,
    most_seconds: float = 4.0,
) -> ProgramTimes:
    """``submission`` against ``reference``; ``least`` replaces the program that moves the bytes alone."""
    sums = Sums(n)
    programs = TimedPrograms(
        reference=reference,
        submission=submission,
        floor=least or floor(),
        parameters=sums.parameters,
        draw=sums.draw,
        wrong=sums.wrong,
        device=gpu_device().name,
        uuid=chosen_uuid(),
    )
    return time_program(programs, start, (), answer_seconds=10.0, most_seconds=most_seconds)
