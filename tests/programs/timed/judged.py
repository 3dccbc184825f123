"""Runs a program of the tests in the timed mode as a judge does, on inputs that no earlier run has had."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from grader.model.kernel import Param
from grader.programs.gpu.compile import compile_for_gpu
from grader.programs.start import Start
from grader.programs.timed.program import AnswerRefusedError, Parameter, TimedProgram, timed_program
from grader.programs.timed.sources import timed_sources
from grader.programs.toolchain import find_toolchain
from grader.sandbox.program_start import unconfined

ATTACKS = Path(__file__).parent / "attacks"
PARAMS = tuple(map(Param.parse, ("const int32 x[n]", "int32 n", "int32 sum[1]")))
N = 1 << 20
SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a judge saw of one repetition: the answer, the right one, and seconds; or why it does not count."""

    answer: int = 0
    right: int = 0
    seconds: float = 0.0
    refused: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the answer counts."""
        return not self.refused and self.answer == self.right


@cache
def built(name: str) -> bytes:
    """A program of the folder ``attacks``, with our main. Raises: ``UserError`` where it does not build."""
    own = {f"{name}.cpp": (ATTACKS / f"{name}.cpp").read_bytes()}
    return compile_for_gpu(timed_sources("total", PARAMS, own), find_toolchain(), "sm_90")


@contextmanager
def started(name: str, start: Start = unconfined) -> Iterator[TimedProgram]:
    """The running program."""
    x, n, total = PARAMS
    parameters = Parameter(param=x, size=N), Parameter(param=n, number=N), Parameter(param=total)
    with timed_program(built(name), parameters, start, SECONDS) as program:
        yield program


def asked(program: TimedProgram, draw: np.random.Generator) -> Outcome:
    """One repetition on inputs of ``draw``."""
    x = draw.integers(0, 1000, N, np.int32)
    try:
        done = program.repeat({"x": x})
    except AnswerRefusedError as refused:
        return Outcome(refused=refused.reason.code)
    return Outcome(answer=int(done.outputs["sum"][0]), right=int(x.sum()), seconds=done.seconds)


def judged(name: str, start: Start = unconfined, repetitions: int = 4) -> list[Outcome]:
    """The outcomes of a program up to the first that is refused."""
    draw = np.random.default_rng()
    outcomes: list[Outcome] = []
    try:
        with started(name, start) as program:
            while len(outcomes) < repetitions and not (outcomes and outcomes[-1].refused):
                outcomes.append(asked(program, draw))
    except AnswerRefusedError as refused:
        outcomes.append(Outcome(refused=refused.reason.code))
    return outcomes
