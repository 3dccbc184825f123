"""The environment builds and runs in workers, turns lost workers into faults, and measures comparisons."""

import dataclasses
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import pytest

from grader.config.settings import MIB, LimitSettings
from grader.errors import InfrastructureError
from grader.grading.environment import GradingEnvironment
from grader.languages import reference
from grader.model.build import AssemblyRequest, BuildOutcome, BuildRequest, Translation
from grader.model.devices import H200
from grader.model.kernel import KernelSpec, Param
from grader.model.module import Abi, DeviceModule, FoundKernel, PtxModule, PtxUnit
from grader.model.plan import LaunchPlan
from grader.model.reason import as_written
from grader.model.run import EngineKind, Fault, LaunchJob, RunResult, SampledComparison, TimedPair
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.port import LossCause, Worker, WorkerLostError
from grader.worker.messages import (
    InputsStored,
    PutInputsRequest,
    Ready,
    RequestKind,
    WorkerRole,
    WorkerSettings,
)

SPEC = KernelSpec(name="fill", params=(Param.parse("float32 y[n]"),))
REQUEST = BuildRequest(language=Language.CUDA_C, files=(), kernels=(SPEC,))
UNIT = PtxUnit(name="a.cu", ptx="")
WORK = LaunchJob(
    module=DeviceModule(units=(), kernels=(), user_files=()),
    plan=LaunchPlan(buffers=(), launches=()),
    inputs={},
)


def lost(cause: LossCause) -> WorkerLostError:
    return WorkerLostError(cause, as_written("gone"))


LOST = lost(LossCause.TIMED_OUT)


@pytest.fixture
def _on_a_machine_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the control succeed: these sandboxes build no sample."""
    for name in ("confirm_builds", "confirm_runs"):
        monkeypatch.setattr(f"grader.grading.environment.{name}", lambda *_: None)


class ScriptedWorker:
    """Replies to every request with ``answer``, or raises it; accepts inputs, or raises ``loses`` for them."""

    def __init__(self, answer: object, loses: WorkerLostError | None = None) -> None:
        self.ready = Ready(device=H200)
        self._answer = answer
        self._loses = loses
        self.holds_gpu = False
        self.supplied_holds_gpu: list[bool] = []
        self.closed_holding_gpu: list[bool] = []
        self.seconds = 0.0
        self.asked: list[tuple[RequestKind, object]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_fresh(self) -> bool:
        return True

    def close(self) -> None:
        self.closed_holding_gpu.append(self.holds_gpu)

    @contextmanager
    def exclusive_gpu(self) -> Iterator[None]:
        self.holds_gpu = True
        yield
        self.holds_gpu = False

    def ask(
        self, kind: RequestKind, body: object, expected: type[Any], *, seconds: float, reply_bytes: int
    ) -> Any:
        assert seconds > 0, (kind, body, expected)
        self.seconds = seconds
        assert reply_bytes > 0
        self.asked.append((kind, body))
        if kind is RequestKind.PUT_INPUTS:
            self.supplied_holds_gpu.append(self.holds_gpu)
            if self._loses is not None:
                raise self._loses
            return InputsStored()
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


class ScriptedSandbox:
    """Returns the same worker every time."""

    name = "scripted"

    def __init__(self, answer: object) -> None:
        self.the_worker = ScriptedWorker(answer)
        self.started = 0
        self.prepared: list[tuple[WorkerRole, EngineKind | None]] = []

    def worker(self, settings: WorkerSettings) -> Worker:
        assert settings.engine is None or settings.device
        self.started += 1
        self.limits = settings.limits
        return self.the_worker

    def prepare(self, settings: WorkerSettings) -> None:
        self.prepared.append((settings.role, None if settings.engine is None else settings.engine.key))
        assert settings.device

    def close(self) -> None:
        """There is nothing to end."""


def environment(sandbox: ScriptedSandbox, engine: EngineKind) -> GradingEnvironment:
    return GradingEnvironment.open(sandbox, engine, "Tesla T4", LimitSettings(), modelled_counts=False)


def test_only_tighter_lab_limits_reach_the_worker() -> None:
    sandbox = ScriptedSandbox(BuildOutcome())
    tighter = {"build_seconds": 2, "memory_mib": 512, "scratch_mib": 10**6, "processes": 10**6}
    environment(sandbox, EngineKind.EMULATOR).within(tighter).build(REQUEST)
    assert sandbox.the_worker.seconds == 2
    assert sandbox.limits.memory_bytes == 512 * MIB
    assert sandbox.limits.scratch_bytes == LimitSettings().scratch_mib * MIB
    assert sandbox.limits.processes == LimitSettings().processes


@pytest.mark.parametrize(
    ("cause", "verdict"),
    [
        (LossCause.TIMED_OUT, Verdict.TIMED_OUT),
        (LossCause.OVER_MEMORY, Verdict.OVER_THE_LIMIT),
        (LossCause.OVER_PROCESSES, Verdict.OVER_THE_LIMIT),
        (LossCause.DIED, Verdict.CRASHED),
        (LossCause.GARBLED, Verdict.FAILED_TO_BUILD),
        (LossCause.REPORTED, Verdict.FAILED_TO_BUILD),
    ],
)
@pytest.mark.usefixtures("_on_a_machine_that_works")
def test_a_build_worker_lost_is_the_students_outcome(cause: LossCause, verdict: Verdict) -> None:
    fault = environment(ScriptedSandbox(lost(cause)), EngineKind.EMULATOR).build(REQUEST).fault
    assert fault is not None
    assert fault.verdict is verdict


UNPROVEN = [LossCause.DIED, LossCause.GARBLED, LossCause.OVER_PROCESSES, LossCause.REPORTED]


@pytest.mark.parametrize("cause", UNPROVEN)
def test_a_run_worker_that_dies_is_our_fault_if_a_sample_fails_too(cause: LossCause) -> None:
    gpu = environment(ScriptedSandbox(lost(cause)), EngineKind.EMULATOR)
    with gpu.session() as session, pytest.raises(InfrastructureError, match="fails here as well"):
        session.run(WORK)


@pytest.mark.usefixtures("_on_a_machine_that_works")
@pytest.mark.parametrize("cause", UNPROVEN)
def test_a_kernel_that_loses_three_workers_is_at_fault(cause: LossCause) -> None:
    sandbox = ScriptedSandbox(lost(cause))
    gpu = environment(sandbox, EngineKind.EMULATOR)
    before = sandbox.started
    with gpu.session() as session:
        fault = session.run(WORK).fault
    assert fault is not None
    assert not fault.verdict.earns_correctness
    assert fault.verdict is not Verdict.NOT_GRADABLE
    assert sandbox.started == before + 3


@pytest.mark.parametrize("cause", UNPROVEN)
def test_a_trusted_kernel_is_never_at_fault_for_a_worker(cause: LossCause) -> None:
    gpu = environment(ScriptedSandbox(lost(cause)), EngineKind.EMULATOR)
    with gpu.own_session() as session, pytest.raises(InfrastructureError, match="gone"):
        session.run(WORK)


def test_a_run_time_out_is_the_students_and_replaces_the_worker() -> None:
    sandbox = ScriptedSandbox(lost(LossCause.TIMED_OUT))
    gpu = environment(sandbox, EngineKind.EMULATOR)
    before = sandbox.started
    with gpu.session() as session:
        for _ in range(2):
            fault = session.run(WORK).fault
            assert fault is not None
            assert fault.verdict is Verdict.TIMED_OUT
    assert sandbox.started == before + 2


def test_wall_time_excludes_the_wait_for_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = TimedPair(baseline=2e-6, submission=1e-6)
    sandbox = ScriptedSandbox(SampledComparison(pairs=(pair,), modelled=False))

    @contextmanager
    def late() -> Iterator[None]:
        time.sleep(0.3)
        yield

    monkeypatch.setattr(sandbox.the_worker, "exclusive_gpu", late)
    with environment(sandbox, EngineKind.CUDA).session() as session:
        took = session.compare(WORK, WORK).wall_seconds
    assert took is not None
    assert took < 0.2


_ENDLESS = Fault(verdict=Verdict.TIMED_OUT, reason=as_written("endless"))


@pytest.mark.parametrize(
    "answer",
    [RunResult(outputs={}, fault=_ENDLESS), SampledComparison(pairs=(), modelled=False, fault=_ENDLESS)],
)
def test_a_worker_at_fault_ends_before_its_gpu_is_free(answer: RunResult | SampledComparison) -> None:
    sandbox = ScriptedSandbox(answer)
    with environment(sandbox, EngineKind.CUDA).session() as session:
        result = session.run(WORK) if isinstance(answer, RunResult) else session.compare(WORK, WORK)
        assert sandbox.the_worker.closed_holding_gpu == [False, True]  # the first one described the device
    assert result.fault == _ENDLESS


WITH_INPUTS = dataclasses.replace(WORK, inputs={"x": b"1234"})


@pytest.mark.parametrize(("answer", "sent"), [(RunResult(outputs={}), [4]), (LOST, [4, 4])])
def test_inputs_go_to_a_worker_once_and_to_the_next_one_again(answer: object, sent: list[int]) -> None:
    sandbox = ScriptedSandbox(answer)
    with environment(sandbox, EngineKind.EMULATOR).session() as session:
        session.run(WITH_INPUTS)
        session.run(WITH_INPUTS)
    requests = [body for _, body in sandbox.the_worker.asked if isinstance(body, PutInputsRequest)]
    assert [sum(map(len, request.fresh.values())) for request in requests] == sent


def test_inputs_are_sent_without_holding_the_gpu() -> None:
    sandbox = ScriptedSandbox(RunResult(outputs={}))
    with environment(sandbox, EngineKind.CUDA).session() as session:
        session.run(WITH_INPUTS)
    assert sandbox.the_worker.supplied_holds_gpu == [False]


@pytest.mark.parametrize("cause", LossCause)
def test_no_cause_of_a_loss_in_transfer_proves_a_fault_of_the_code(cause: LossCause) -> None:
    sandbox = ScriptedSandbox(RunResult(outputs={}))
    sandbox.the_worker = ScriptedWorker(RunResult(outputs={}), loses=lost(cause))
    with (
        environment(sandbox, EngineKind.EMULATOR).own_session() as session,
        pytest.raises(InfrastructureError, match="transfer of its inputs, gone"),
    ):
        session.run(WITH_INPUTS)


def test_the_emulator_stands_in_beside_a_gpu() -> None:
    gpu = environment(ScriptedSandbox(RunResult(outputs={})), EngineKind.CUDA)
    beside = gpu.emulating()
    assert beside.engine is EngineKind.EMULATOR
    assert beside.device == gpu.device
    with beside.session() as session:
        assert session.run(WORK).fault is None


class Builders:
    """Returns a new worker each time; each replies with the next of ``answers``."""

    name = "builders"

    def __init__(self, answers: Sequence[object]) -> None:
        self._answers = answers
        self.workers: list[ScriptedWorker] = []
        self.roles: list[WorkerRole] = []
        self.languages: list[tuple[str, ...]] = []
        self.prepared: list[WorkerRole] = []

    def worker(self, settings: WorkerSettings) -> Worker:
        assert settings.engine is None
        self.languages.append(settings.languages)
        self.roles.append(settings.role)
        self.workers.append(ScriptedWorker(self._answers[len(self.workers)]))
        return self.workers[-1]

    def prepare(self, settings: WorkerSettings) -> None:
        self.prepared.append(settings.role)
        assert settings.engine is None

    def close(self) -> None:
        """There is nothing to end."""


def translated() -> Translation:
    kernel = FoundKernel(name="fill", symbol="fill", unit=0, abi=Abi.C)
    return Translation(module=PtxModule(units=(UNIT,), kernels=(kernel,), user_files=()))


def building(*answers: object) -> tuple[Builders, BuildOutcome]:
    sandbox = Builders(answers)
    gpu = environment(ScriptedSandbox(None), EngineKind.EMULATOR)
    return sandbox, dataclasses.replace(gpu, sandbox=sandbox).build(REQUEST)


def test_a_second_worker_assembles_without_the_source() -> None:
    made = BuildOutcome(module=WORK.module)
    sandbox, outcome = building(translated(), made)
    assert outcome == made
    assert sandbox.roles == [WorkerRole.BUILD, WorkerRole.ASSEMBLE]
    assert sandbox.languages == [(reference(REQUEST.language),), ()]
    assert sandbox.prepared == [WorkerRole.ASSEMBLE]
    first, second = (worker.asked for worker in sandbox.workers)
    assert first == [(RequestKind.TRANSLATE, REQUEST)]
    module = translated().module
    assert module is not None
    assert second == [(RequestKind.ASSEMBLE, AssemblyRequest.of(module, REQUEST))]


@pytest.mark.usefixtures("_on_a_machine_that_works")
@pytest.mark.parametrize(
    ("cause", "verdict"),
    [
        (LossCause.TIMED_OUT, Verdict.TIMED_OUT),
        (LossCause.OVER_MEMORY, Verdict.OVER_THE_LIMIT),
        (LossCause.DIED, Verdict.CRASHED),
    ],
)
def test_code_that_kills_the_assembler_is_the_students_fault(cause: LossCause, verdict: Verdict) -> None:
    killer = lost(cause)
    _, outcome = building(translated(), killer, killer, killer)
    assert outcome.module is None
    assert outcome.fault is not None
    assert outcome.fault.verdict is verdict


@pytest.mark.usefixtures("_on_a_machine_that_works")
def test_a_build_is_retried_after_its_worker_is_killed() -> None:
    made = BuildOutcome(module=WORK.module)
    killed = lost(LossCause.DIED)
    sandbox, outcome = building(killed, killed, translated(), killed, killed, made)
    assert outcome == made
    assert len(sandbox.workers) == 6


@pytest.mark.usefixtures("_on_a_machine_that_works")
def test_code_that_kills_every_worker_is_the_students_fault() -> None:
    killed = lost(LossCause.DIED)
    sandbox, outcome = building(killed, killed, killed)
    assert outcome.fault is not None
    assert outcome.fault.verdict is Verdict.CRASHED
    assert len(sandbox.workers) == 3
