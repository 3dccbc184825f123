"""Timed pairs of baseline and submission in the same buffers, on a fake GPU that runs kernels on the host."""

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
from grader.engines.cuda.launch_sampler import LaunchSampler
from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.output_comparison import WrongOutputError
from grader.engines.cuda.paired_timer import PairedTimer, Side
from grader.engines.cuda.prepared import Prepared
from grader.engines.cuda.status import LaunchFailedError
from grader.engines.cuda.timing import Measurement
from grader.engines.cuda.trusted import Draw
from grader.engines.timed_output_check import count_differing
from grader.model.devices import by_name
from grader.model.element_types import DType
from grader.model.plan import Buffer, Role
from grader.model.reason import reason
from grader.model.run import Comparison, LaunchJob, OutputCheck, TimedPair
from tests.engines.contract import N, launch, launch_job, vector
from tests.engines.cuda.fake_cupy import HostRuntime, fake_cupy
from tools.messages import params

DEVICE = by_name("h200")
ORDERS = [(Side.BASELINE, Side.SUBMISSION), (Side.SUBMISSION, Side.BASELINE)]

Array = NDArray[np.float32]

Kernel = Callable[[Array, Array], Array]


def array(memory: DeviceMemory, buffer: Buffer) -> NDArray[np.float32]:
    """A buffer on the fake device, readable and writable."""
    block = (ctypes.c_float * buffer.size).from_address(memory.address(buffer.name))
    return np.ctypeslib.as_array(block)


class FakeInputs:
    """Replaces ``PristineInputs``."""

    changed = False

    def are_unchanged(self) -> bool:
        """Return true unless a test sets ``changed``."""
        return not self.changed

    def write(self, _job: LaunchJob, buffer: Buffer, address: int, draw: Draw) -> None:
        """Write numbers that depend on the seed and the buffer's name, at least one."""
        rng = np.random.default_rng([draw.seed, ord(buffer.name)])
        numbers = rng.standard_normal(buffer.size, np.float32)
        there = np.ctypeslib.as_array((ctypes.c_float * buffer.size).from_address(address))
        chosen = rng.permutation(buffer.size)[: max(1, int(draw.share * buffer.size))]
        there[chosen] = numbers[chosen]


@dataclass
class FakeComparison:
    """A paired timer on a fake GPU: its kernels, its memory and what its launches saw."""

    submission: Kernel = np.add
    hostile: Callable[[Array, Array, Array], None] | None = None
    """Replaces ``submission``: a kernel that does more than its own work."""
    astray: Side | None = None
    """The side with a kernel that also writes past the end of its output."""
    scratch: tuple[int, int] = (8, 24)
    runtime: HostRuntime = field(default_factory=HostRuntime)
    seen: list[tuple[Side, dict[str, int]]] = field(default_factory=list)
    found: list[bool] = field(default_factory=list)
    originals: FakeInputs = field(default_factory=FakeInputs)

    def side(self, side: Side) -> LaunchJob:
        """Return one side's plan: ``c = a + b``, with scratch memory of a size that differs between the sides."""
        buffers = (
            vector("a", Role.INPUT),
            vector("sums", Role.SCRATCH, self.scratch[side]),
            vector("b", Role.INPUT),
            vector("c", Role.OUTPUT),
        )
        inputs = {name: np.zeros(N, np.float32) for name in ("a", "b")}
        return launch_job(buffers, (launch("add", "a", "b", "c", N),), inputs, DEVICE.arch)

    def holds(self, answer: bytes) -> bool:
        """Whether ``answer`` is anywhere in device memory."""
        return any(answer in block.raw for block in self.runtime.blocks.values())

    def launch(self, side: Side, memory: DeviceMemory, plan: Any) -> None:
        """Record what a kernel can find in memory, then run it on the host."""
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
        """Replaces ``LoadedKernels``; the plan with the smaller scratch buffer is the baseline's."""
        side = Side(self.scratch.index(plan.buffer("sums").size))

        def ready(memory: DeviceMemory) -> list[Any]:
            return [SimpleNamespace(start=lambda: self.launch(side, memory, plan))]

        return SimpleNamespace(ready=ready)

    def timer(self) -> PairedTimer:
        """Return the timer under test."""
        cupy = fake_cupy(self.runtime)
        jobs = (self.side(Side.BASELINE), self.side(Side.SUBMISSION))
        arenas = Arenas(cupy, [each.plan for each in jobs])
        buffer_sets = BufferSetRotation(cupy, arenas, *(Prepared(cupy, DEVICE, each) for each in jobs))
        checks = [OutputCheck(submission="c", baseline="c", allowed=0.0)]
        return PairedTimer(
            buffer_sets, cast("Any", self.originals), cast("Any", HostKernels()), measure, checks
        )


class HostKernels:
    """Replaces ``TrustedKernels``."""

    def count_differing(self, ours: int, theirs: int, dtype: DType, size: int, allowed: float) -> int:
        """Count differing elements on the host."""
        left, right = (ctypes.string_at(each, size * dtype.numpy.itemsize) for each in (ours, theirs))
        return count_differing(left, right, dtype, allowed)


def measure(queue: Callable[[], None]) -> Measurement:
    """Replaces a stopwatch: run the launch, and return fixed values."""
    queue()
    return Measurement(seconds=1.0, clock=1e9)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeComparison:
    fake = FakeComparison()
    monkeypatch.setattr(prepared_module, "LoadedKernels", fake.loaded)
    monkeypatch.setattr(Prepared, "captured", lambda _self, queue: SimpleNamespace(launch=queue))
    return fake


@pytest.mark.parametrize("order", ORDERS)
def test_both_sides_have_their_arrays_at_the_same_addresses(
    fake: FakeComparison, order: tuple[Side, Side]
) -> None:
    fake.timer().pair(order)
    of_side = dict(fake.seen)
    assert set(of_side) == set(Side)
    baseline, submission = (of_side[side] for side in Side)
    assert baseline.pop("sums") != submission.pop("sums")  # their sizes differ
    assert baseline == submission


def test_no_answer_is_on_the_device_while_the_submission_runs(fake: FakeComparison) -> None:
    timer = fake.timer()
    for order in ORDERS * 2:
        timer.pair(order)
    assert fake.found == [False] * 4


def test_no_answer_is_left_after_a_pair(fake: FakeComparison) -> None:
    answers = []

    def noted(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
        answers.append((a + b).tobytes())
        return a + b

    fake.submission = noted
    timer = fake.timer()
    for order in ORDERS:
        timer.pair(order)
        assert not fake.holds(answers[-1])
        assert not fake.holds(answers[-1][: 4 * min(fake.scratch)])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("wrong", [1, N])
def test_a_wrong_answer_is_found_in_either_order(
    fake: FakeComparison, order: tuple[Side, Side], wrong: int
) -> None:
    def partly_wrong(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.where(np.arange(N) < N - wrong, a + b, np.float32(7))

    timer = fake.timer()
    timer.pair(order)
    fake.submission = partly_wrong
    with pytest.raises(WrongOutputError) as caught:
        timer.pair(order)
    assert caught.value.fault.reason == reason("wrong-while-timed", count=wrong, size=N, buffer="c")


def test_a_missing_output_is_not_the_baselines_earlier_one(fake: FakeComparison) -> None:
    timer = fake.timer()
    fake.submission = lambda a, _: np.full_like(a, np.nan)
    with pytest.raises(WrongOutputError) as caught:
        timer.pair(ORDERS[0])
    assert params(caught.value.fault.reason, "wrong-while-timed")["count"] == N


def test_buffers_of_one_side_only_are_no_damage(fake: FakeComparison) -> None:
    timer = fake.timer()
    for order in ORDERS:
        timer.pair(order)
    timer.check_guards()


@pytest.mark.parametrize(
    ("side", "error"), [(Side.BASELINE, BaselineFailedError), (Side.SUBMISSION, LaunchFailedError)]
)
def test_a_write_out_of_bounds_is_blamed_on_its_side(
    fake: FakeComparison, side: Side, error: type[Exception]
) -> None:
    fake.astray = side
    timer = fake.timer()
    timer.pair(ORDERS[0])
    with pytest.raises(LaunchFailedError) as caught:
        timer.check_guards()
    assert type(caught.value) is error
    assert caught.value.fault.reason == reason(
        "guard-past-end", buffer="c", distance=reason("right-behind-last-element")
    )


@pytest.mark.parametrize("order", ORDERS)
def test_the_baseline_never_runs_on_changed_originals(fake: FakeComparison, order: tuple[Side, Side]) -> None:
    def changes(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
        fake.originals.changed = True
        return a + b

    fake.timer().pair(order)
    fake.submission = changes
    fake.seen.clear()
    with pytest.raises(LaunchFailedError, match="guard-elsewhere"):
        fake.timer().pair(order)
    assert fake.seen[-1][0] is Side.SUBMISSION


def test_originals_changed_by_the_baseline_are_its_fault(fake: FakeComparison) -> None:
    class Changes(FakeInputs):
        """Reports changed inputs if the baseline was launched last."""

        def are_unchanged(self) -> bool:
            return fake.seen[-1][0] is Side.SUBMISSION

    fake.originals = Changes()
    for order in ORDERS:
        with pytest.raises(BaselineFailedError, match="guard-elsewhere"):
            fake.timer().pair(order)


class WorksAhead:
    """A kernel that computes all copies in a batch's first launch; later launches check inputs before they reuse these.

    The partial check covers ``checked`` inputs and one output; if these are unchanged, a launch does nothing.
    """

    def __init__(self, checked: int) -> None:
        self.checked = checked
        self.known: list[tuple[Array, Array, Array]] = []
        self.left: list[tuple[Array, float]] = []
        self.idle = 0

    def __call__(self, a: Array, b: Array, c: Array) -> None:
        """Run one launch."""
        addresses = [each[2].ctypes.data for each in self.known]
        if c.ctypes.data not in addresses:
            self.known.append((a, b, c))
            c[:] = a + b
        elif (index := addresses.index(c.ctypes.data)) == 0:
            for inputs, others, outputs in self.known:
                outputs[:] = inputs + others
            self.left = [
                (inputs[: self.checked].copy(), float(outputs[0])) for inputs, _, outputs in self.known
            ]
        else:
            inputs, answer = self.left[index]
            if np.array_equal(a[: self.checked], inputs) and c[0] == answer:
                self.idle += 1
            else:
                c[:] = a + b


@pytest.mark.parametrize("checked", [0, 1, 50])
def test_an_audit_detects_work_done_ahead_despite_partial_checks(fake: FakeComparison, checked: int) -> None:
    fake.hostile = hostile = WorksAhead(checked)
    timer = fake.timer()
    timer.buffer_sets.set_copies(5)
    timer.pair(ORDERS[1])
    timer.pair(ORDERS[1])
    assert hostile.idle == 4, "without changes, later launches are idle"
    assert any(is_detected(timer) for _ in range(40))


class WorksLate:
    """A kernel that computes all copies in the last launch of a batch and does nothing in the others."""

    def __init__(self, copies: int) -> None:
        self.copies = copies
        self.waiting: list[tuple[Array, Array, Array]] = []

    def __call__(self, a: Array, b: Array, c: Array) -> None:
        """Run one launch."""
        self.waiting.append((a, b, c))
        if len(self.waiting) == self.copies:
            for one, other, answer in self.waiting:
                answer[:] = one + other
            self.waiting.clear()


def test_an_audit_detects_work_left_to_the_last_launch(fake: FakeComparison) -> None:
    timer = fake.timer()
    timer.buffer_sets.set_copies(5)
    fake.hostile = WorksLate(5)
    timer.pair(ORDERS[1])  # right, unless an audit copies outputs in between
    assert is_detected(timer)


def is_detected(timer: PairedTimer) -> bool:
    """Whether one audited batch detects the kernel."""
    try:
        timer.audit_batch()
    except WrongOutputError:
        return True
    return False


def test_an_honest_kernel_passes_every_audit(fake: FakeComparison) -> None:
    timer = fake.timer()
    timer.buffer_sets.set_copies(5)
    for _ in range(20):
        timer.audit_batch()


def test_a_sample_has_the_inputs_and_outputs_of_one_launch(fake: FakeComparison) -> None:
    timer = fake.timer()
    timer.sampler = LaunchSampler(1)
    timed = Comparison(pairs=(TimedPair(baseline=1.0, submission=1.0),), modelled=False)
    for order in ORDERS:
        timer.pair(order)
    (sample,) = timer.sampler.with_samples(timed).samples
    a, b = (np.frombuffer(sample.inputs[name], np.float32) for name in ("a", "b"))
    assert sample.outputs == {"c": (a + b).tobytes()}
    assert a.any()
    assert fake.found == [False, False]
