"""Baseline and submission in turn, in the same memory, on a pretended GPU whose kernels run on the host."""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.engines.cuda import prepared as prepared_module
from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.baseline_errors import BaselineFailedError
from grader.engines.cuda.buffer_sets import BufferSetRotation
from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.paired_timer import PairedTimer, WrongOutputError
from grader.engines.cuda.pairs import Side
from grader.engines.cuda.prepared import Prepared
from grader.engines.cuda.status import LaunchFailedError
from grader.engines.cuda.stopwatch import Measurement
from grader.engines.cuda.trusted import Draw
from grader.engines.timed_output_check import count_differing
from grader.model.devices import by_name
from grader.model.kernel import DType
from grader.model.plan import Buffer, Role
from grader.model.run import LaunchJob, OutputCheck
from tests.engines.contract import N, launch, launch_job, vector
from tests.engines.cuda.host_memory import HostRuntime, pretended_cupy

DEVICE = by_name("h200")
ORDERS = [(Side.BASELINE, Side.SUBMISSION), (Side.SUBMISSION, Side.BASELINE)]

Array = NDArray[np.float32]

Kernel = Callable[[Array, Array], Array]


def array(memory: DeviceMemory, buffer: Buffer) -> NDArray[np.float32]:
    """What is on the pretended device, to read and to write."""
    block = (ctypes.c_float * buffer.size).from_address(memory.address(buffer.name))
    return np.ctypeslib.as_array(block)


class Drawn:
    """In place of ``PristineInputs``."""

    changed = False

    def are_unchanged(self) -> bool:
        """Unless somebody changed one."""
        return not self.changed

    def write(self, _job: LaunchJob, buffer: Buffer, address: int, draw: Draw) -> None:
        """Numbers that the seed and the buffer's name decide, at least one."""
        rng = np.random.default_rng([draw.seed, ord(buffer.name)])
        numbers = rng.standard_normal(buffer.size, np.float32)
        there = np.ctypeslib.as_array((ctypes.c_float * buffer.size).from_address(address))
        chosen = rng.permutation(buffer.size)[: max(1, int(draw.share * buffer.size))]
        there[chosen] = numbers[chosen]


@dataclass
class Stage:
    """A duel, what its launches saw, and all memory there is."""

    submission: Kernel = np.add
    hostile: Callable[[Array, Array, Array], None] | None = None
    """In place of ``submission``: what does more than its own work."""
    astray: Side | None = None
    """Whose kernel writes behind its output as well."""
    scratch: tuple[int, int] = (8, 24)
    runtime: HostRuntime = field(default_factory=HostRuntime)
    seen: list[tuple[Side, dict[str, int]]] = field(default_factory=list)
    found: list[bool] = field(default_factory=list)
    originals: Drawn = field(default_factory=Drawn)

    def side(self, side: Side) -> LaunchJob:
        """``c = a + b`` on either side, with scratch memory of a size of its own."""
        buffers = (
            vector("a", Role.INPUT),
            vector("sums", Role.SCRATCH, self.scratch[side]),
            vector("b", Role.INPUT),
            vector("c", Role.OUTPUT),
        )
        inputs = {name: np.zeros(N, np.float32) for name in ("a", "b")}
        return launch_job(buffers, (launch("add", "a", "b", "c", N),), inputs, DEVICE.arch)

    def holds(self, answer: bytes) -> bool:
        """Whether it is anywhere on the device."""
        return any(answer in block.raw for block in self.runtime.blocks.values())

    def launch(self, side: Side, memory: DeviceMemory, plan: Any) -> None:
        """Run a kernel on the host, once it was seen what it finds."""
        a, b, c = (array(memory, plan.buffer(name)) for name in ("a", "b", "c"))
        self.seen.append((side, {buffer.name: memory.address(buffer.name) for buffer in plan.buffers}))
        if side is Side.SUBMISSION:
            self.found.append(self.holds((a + b).tobytes()))
        if side is self.astray:
            ctypes.memset(memory.address("c") + 4 * N, 7, 4)
        sums = array(memory, plan.buffer("sums"))
        sums[:] = (a + b)[: sums.size]
        if side is Side.SUBMISSION and self.hostile is not None:
            self.hostile(a, b, c)
        else:
            c[:] = a + b if side is Side.BASELINE else self.submission(a, b)

    def loaded(self, _cupy: Any, _device: Any, _module: Any, plan: Any) -> Any:
        """In place of ``LoadedKernels``: the smaller scratch is the baseline's."""
        side = Side(self.scratch.index(plan.buffer("sums").size))

        def ready(memory: DeviceMemory) -> list[Any]:
            return [SimpleNamespace(start=lambda: self.launch(side, memory, plan))]

        return SimpleNamespace(ready=ready)

    def duel(self) -> PairedTimer:
        """On this stage."""
        cupy = pretended_cupy(self.runtime)
        jobs = (self.side(Side.BASELINE), self.side(Side.SUBMISSION))
        arenas = Arenas(cupy, [each.plan for each in jobs])
        places = BufferSetRotation(cupy, arenas, *(Prepared(cupy, DEVICE, each) for each in jobs))
        checks = [OutputCheck(submission="c", baseline="c", allowed=0.0)]
        return PairedTimer(places, cast("Any", self.originals), cast("Any", Looks()), clocked, checks)


class Looks:
    """In place of ``TrustedKernels``."""

    def count_differing(self, ours: int, theirs: int, dtype: DType, size: int, allowed: float) -> int:
        """As on the host."""
        left, right = (ctypes.string_at(each, size * dtype.numpy.itemsize) for each in (ours, theirs))
        return count_differing(left, right, dtype, allowed)


def clocked(queue: Callable[[], None]) -> Measurement:
    """In place of a stopwatch."""
    queue()
    return Measurement(seconds=1.0, clock=1e9)


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Stage:
    stage = Stage()
    monkeypatch.setattr(prepared_module, "LoadedKernels", stage.loaded)
    monkeypatch.setattr(Prepared, "captured", lambda _self, queue: SimpleNamespace(launch=queue))
    return stage


@pytest.mark.parametrize("order", ORDERS)
def test_both_sides_find_their_arrays_in_the_same_places(stage: Stage, order: tuple[Side, Side]) -> None:
    stage.duel().pair(order)
    of_side = dict(stage.seen)
    assert set(of_side) == set(Side)
    baseline, submission = (of_side[side] for side in Side)
    assert baseline.pop("sums") != submission.pop("sums")  # which are not of one size
    assert baseline == submission


def test_the_answer_is_nowhere_while_the_submission_runs(stage: Stage) -> None:
    duel = stage.duel()
    for order in ORDERS * 2:
        duel.pair(order)
    assert stage.found == [False] * 4


def test_no_answer_is_left_after_a_pair(stage: Stage) -> None:
    answers = []

    def noted(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
        answers.append((a + b).tobytes())
        return a + b

    stage.submission = noted
    duel = stage.duel()
    for order in ORDERS:
        duel.pair(order)
        assert not stage.holds(answers[-1])
        assert not stage.holds(answers[-1][: 4 * min(stage.scratch)])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("wrong", [1, N])
def test_a_wrong_answer_is_found_in_either_order(stage: Stage, order: tuple[Side, Side], wrong: int) -> None:
    def late(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.where(np.arange(N) < N - wrong, a + b, np.float32(7))

    duel = stage.duel()
    duel.pair(order)
    stage.submission = late
    with pytest.raises(WrongOutputError, match=f"{wrong} of {N} elements of c"):
        duel.pair(order)


def test_an_answer_that_was_not_given_is_not_the_baselines_of_before(stage: Stage) -> None:
    duel = stage.duel()
    stage.submission = lambda a, _: np.full_like(a, np.nan)
    with pytest.raises(WrongOutputError, match=f"{N} of {N}"):
        duel.pair(ORDERS[0])


def test_what_one_side_has_for_itself_is_no_damage_of_the_others(stage: Stage) -> None:
    duel = stage.duel()
    for order in ORDERS:
        duel.pair(order)
    duel.check_guards()


@pytest.mark.parametrize(
    ("side", "error"), [(Side.BASELINE, BaselineFailedError), (Side.SUBMISSION, LaunchFailedError)]
)
def test_a_write_beside_the_buffers_is_whose_it_is(stage: Stage, side: Side, error: type[Exception]) -> None:
    stage.astray = side
    duel = stage.duel()
    duel.pair(ORDERS[0])
    with pytest.raises(
        LaunchFailedError, match="out of bounds: it wrote past the end of c, right behind"
    ) as caught:
        duel.check_guards()
    assert type(caught.value) is error


@pytest.mark.parametrize("order", ORDERS)
def test_from_changed_originals_the_baseline_draws_no_answer(stage: Stage, order: tuple[Side, Side]) -> None:
    def changes(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
        stage.originals.changed = True
        return a + b

    stage.duel().pair(order)
    stage.submission = changes
    stage.seen.clear()
    with pytest.raises(LaunchFailedError, match="memory that it was not given"):
        stage.duel().pair(order)
    assert stage.seen[-1][0] is Side.SUBMISSION


def test_originals_that_the_baseline_changes_are_its_own_fault(stage: Stage) -> None:
    class Changes(Drawn):
        """Changed by whatever was launched last, if that was the baseline."""

        def are_unchanged(self) -> bool:
            return stage.seen[-1][0] is Side.SUBMISSION

    stage.originals = Changes()
    for order in ORDERS:
        with pytest.raises(BaselineFailedError, match="memory that it was not given"):
            stage.duel().pair(order)


class WorksAhead:
    """The first launch of a batch answers all copies that are known; the others look before they trust in that.

    Where ``glances`` inputs and an answer are as they were left, they do nothing.
    """

    def __init__(self, glances: int) -> None:
        self.glances = glances
        self.known: list[tuple[Array, Array, Array]] = []
        self.left: list[tuple[Array, float]] = []
        self.idle = 0

    def __call__(self, a: Array, b: Array, c: Array) -> None:
        """One launch."""
        places = [each[2].ctypes.data for each in self.known]
        if c.ctypes.data not in places:
            self.known.append((a, b, c))
            c[:] = a + b
        elif (place := places.index(c.ctypes.data)) == 0:
            for inputs, others, outputs in self.known:
                outputs[:] = inputs + others
            self.left = [
                (inputs[: self.glances].copy(), float(outputs[0])) for inputs, _, outputs in self.known
            ]
        else:
            inputs, answer = self.left[place]
            if np.array_equal(a[: self.glances], inputs) and c[0] == answer:
                self.idle += 1
            else:
                c[:] = a + b


@pytest.mark.parametrize("glances", [0, 1, 50])
def test_work_done_ahead_is_found_out_although_it_looks_before_it_is_trusted(
    stage: Stage, glances: int
) -> None:
    stage.hostile = hostile = WorksAhead(glances)
    duel = stage.duel()
    duel.places.multiply(5)
    duel.pair(ORDERS[1])
    duel.pair(ORDERS[1])
    assert hostile.idle == 4, "where nothing changes, it need not work"
    assert any(is_found_out(duel) for _ in range(40))


class WorksBehind:
    """The last launch of a batch answers all copies, the others do nothing."""

    def __init__(self, copies: int) -> None:
        self.copies = copies
        self.waiting: list[tuple[Array, Array, Array]] = []

    def __call__(self, a: Array, b: Array, c: Array) -> None:
        """One launch."""
        self.waiting.append((a, b, c))
        if len(self.waiting) == self.copies:
            for one, other, answer in self.waiting:
                answer[:] = one + other
            self.waiting.clear()


def test_work_that_is_left_to_the_last_launch_is_found_out(stage: Stage) -> None:
    duel = stage.duel()
    duel.places.multiply(5)
    stage.hostile = WorksBehind(5)
    duel.pair(ORDERS[1])  # where nobody looks between them, it is right
    assert is_found_out(duel)


def is_found_out(duel: PairedTimer) -> bool:
    """Whether one watched batch shows it."""
    try:
        duel.watch()
    except WrongOutputError:
        return True
    return False


def test_who_works_when_asked_may_be_watched(stage: Stage) -> None:
    duel = stage.duel()
    duel.places.multiply(5)
    for _ in range(20):
        duel.watch()
