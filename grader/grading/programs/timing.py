"""Times a program against a reference program, end to end on a real GPU, with the clock outside both."""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from statistics import median

from grader.engines.cuda.measurement import sample_pairs
from grader.engines.cuda.paired_timer import Side
from grader.errors import InfrastructureError, LabError
from grader.messages import render
from grader.model.reason import Reason, reason
from grader.model.run import Fault, TimedComparison, TimedPair
from grader.model.verdict import Verdict
from grader.programs.start import Start
from grader.programs.timed.program import AnswerRefusedError, Parameter, TimedProgram, timed_program
from grader.programs.timed.withheld import Array, new_draw, with_decoys
from grader.sandbox.gpu_use import GpuUse

FLOOR_MARGIN = 0.9
"""A program that takes less than this share of the time of moving its bytes alone is flagged."""

EXERCISE_SECONDS = 1.0
"""How long each program runs without pause while the GPU's use is watched."""

_FLOOR_REPETITIONS = 6

Arrays = Mapping[str, Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPrograms:
    """What is timed: executables with the timed mode's main, and the judge's view of the case.

    ``draw`` gives new inputs, flat arrays by parameter; ``wrong`` says what is wrong with outputs for inputs.
    ``floor`` only moves the bytes of ``parameters``. ``device`` and ``uuid`` name the GPU.
    """

    reference: bytes
    submission: bytes
    floor: bytes
    parameters: Sequence[Parameter]
    draw: Callable[[], Arrays]
    wrong: Callable[[Arrays, Arrays], Reason | None]
    device: str
    uuid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramTimes:
    """The comparison, reasons to flag it, and the seconds in which the bytes alone are moved."""

    comparison: TimedComparison
    flags: tuple[Reason, ...] = ()
    floor_seconds: float = 0.0


class _WrongAnswerError(Exception):
    def __init__(self, why: Reason) -> None:
        self.reason = why
        super().__init__(why.code)


def time_program(
    timed: TimedPrograms,
    start: Start,
    targets: Sequence[float],
    *,
    answer_seconds: float,
    most_seconds: float,
) -> ProgramTimes:
    """Time pairs of reference and submission until they decide ``targets``, or for ``most_seconds``.

    The caller holds the GPU. Each repetition has inputs of its own, and its answer is checked; the first pair does not
    count. A program gets ``answer_seconds`` for an answer.
    Raises: ``InfrastructureError`` where the reference fails, ``LabError`` where the lab accepts answers to other
    inputs.
    """
    begin = time.monotonic()
    with ExitStack() as stack:
        with _reference_works():
            reference = stack.enter_context(
                timed_program(timed.reference, timed.parameters, start, answer_seconds)
            )
            _check_decoys(timed, reference)
            floor = _floor_seconds(timed, start, answer_seconds)
        try:
            submission = stack.enter_context(
                timed_program(timed.submission, timed.parameters, start, answer_seconds)
            )
            pairs = _Pairs(timed, {Side.BASELINE: reference, Side.SUBMISSION: submission})
            pairs.time((Side.SUBMISSION, Side.BASELINE))
            sample = sample_pairs(
                pairs.time,
                targets,
                random.SystemRandom(),
                is_slow=lambda: True,
                is_late=lambda: time.monotonic() - begin > most_seconds,
            )
            with _reference_works():
                reference_use = _use(timed, reference)
            is_idle = bool(reference_use) and _use(timed, submission) == 0
        except AnswerRefusedError as refused:
            return _failed(Verdict.CRASHED, refused.reason)
        except _WrongAnswerError as wrong:
            return _failed(Verdict.WRONG, wrong.reason)
    comparison = TimedComparison(
        pairs=sample.pairs, modelled=False, wall_seconds=time.monotonic() - begin, dropped=sample.dropped
    )
    measured = median(pair.submission for pair in sample.pairs)
    flags = []
    if measured < FLOOR_MARGIN * floor:
        flags.append(reason("faster-than-bus", ratio=floor / measured, device=timed.device))
    if is_idle:
        flags.append(reason("gpu-idle-while-timed"))
    return ProgramTimes(comparison=comparison, flags=tuple(flags), floor_seconds=floor)


class _Pairs:
    """Runs both programs in turn."""

    def __init__(self, timed: TimedPrograms, programs: Mapping[Side, TimedProgram]) -> None:
        self._timed = timed
        self._programs = programs

    def time(self, order: tuple[Side, Side]) -> TimedPair:
        """Both sides once, on inputs of their own. Raises: as ``_answered``, ``InfrastructureError``."""
        seconds: dict[Side, float] = {}
        for side in order:
            with _reference_works() if side is Side.BASELINE else nullcontext():
                seconds[side] = _answered(self._timed, self._programs[side], self._timed.draw())
        return TimedPair(baseline=seconds[Side.BASELINE], submission=seconds[Side.SUBMISSION])


def _answered(timed: TimedPrograms, program: TimedProgram, inputs: Arrays) -> float:
    """The seconds of one repetition with a right answer. Raises: ``AnswerRefusedError``, ``_WrongAnswerError``."""
    done = program.repeat(inputs)
    wrong = timed.wrong(inputs, done.outputs)
    if wrong is not None:
        raise _WrongAnswerError(wrong)
    return done.seconds


def _check_decoys(timed: TimedPrograms, reference: TimedProgram) -> None:
    """Make sure that the answer to the inputs is none to what a program sees of them before the clock starts."""
    inputs, draw = timed.draw(), new_draw()
    answer = reference.repeat(inputs).outputs
    if (wrong := timed.wrong(inputs, answer)) is not None:
        raise _WrongAnswerError(wrong)
    seen = {name: with_decoys(array, draw)[0] for name, array in inputs.items()}
    try:
        is_accepted = timed.wrong(seen, answer) is None
    except LabError:  # what a program sees before is no input at all
        is_accepted = False
    if is_accepted:
        msg = "the lab accepts the answer to other inputs, so a program could compute it before it is timed"
        raise LabError(msg)


def _floor_seconds(timed: TimedPrograms, start: Start, answer_seconds: float) -> float:
    """The least seconds in which the bytes alone are moved."""
    with timed_program(timed.floor, timed.parameters, start, answer_seconds) as floor:
        inputs = timed.draw()
        floor.repeat(inputs)
        return min(floor.repeat(inputs).seconds for _ in range(_FLOOR_REPETITIONS))


def _use(timed: TimedPrograms, program: TimedProgram) -> int | None:
    """How busy the GPU is at most while ``program`` runs without pause; ``None``: unknown."""
    use = GpuUse(timed.uuid)
    program.exercise(EXERCISE_SECONDS)
    return use.busiest(program.pids)


@contextmanager
def _reference_works() -> Iterator[None]:
    """Raises: ``InfrastructureError`` where the block's program, which is Grader's own, gives no right answer."""
    try:
        yield
    except (AnswerRefusedError, _WrongAnswerError) as failed:
        msg = f"the reference program cannot be timed here: {render(failed.reason)}"
        raise InfrastructureError(msg) from failed


def _failed(verdict: Verdict, why: Reason) -> ProgramTimes:
    fault = Fault(verdict=verdict, reason=why)
    return ProgramTimes(comparison=TimedComparison(pairs=(), modelled=False, fault=fault))
