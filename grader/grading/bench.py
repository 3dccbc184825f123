"""What grading works with: a sandbox, an engine, limits; and asking a worker to build or to run."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from grader.build.messages import clean
from grader.config.settings import LimitSettings
from grader.errors import InfrastructureError, UserError
from grader.grading.distrust import MAX_REASON, vetted
from grader.model.build import AssemblyRequest, BuildOutcome, BuildRequest, Translation
from grader.model.device import Device
from grader.model.devices import by_name
from grader.model.report import EngineInfo, Isolation
from grader.model.run import (
    Comparison,
    EngineKind,
    Fault,
    OutputCheck,
    RunOptions,
    RunResult,
    Work,
)
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.port import LossCause, Sandbox, Worker, WorkerLostError
from grader.worker.messages import (
    CompareRequest,
    RequestKind,
    RunRequest,
    WorkerLimits,
    WorkerRole,
    WorkerSettings,
)
from grader.worker.supply import Sender

T = TypeVar("T")

_DEATHS = 3
"""After how many deaths of its worker a submission is the one to blame."""

MIB = 2**20

_GRACE_SECONDS = 5.0
"""What an engine gets beyond its own deadline to report that it was passed."""

_COMPARE_FACTOR = 6.0
"""How many single runs' time a comparison may take: it runs both sides many times."""

_BUILD_REPLY_BYTES = 64 * MIB

_LOSS_VERDICTS = {
    LossCause.TIMED_OUT: Verdict.TIMED_OUT,
    LossCause.OVER_MEMORY: Verdict.OVER_THE_LIMIT,
    LossCause.OVER_PROCESSES: Verdict.OVER_THE_LIMIT,
    LossCause.DIED: Verdict.CRASHED,
    LossCause.GARBLED: Verdict.FAILED_TO_BUILD,
}

_DOING = {
    RequestKind.TRANSLATE: "while building",
    RequestKind.ASSEMBLE: "while assembling its code",
    RequestKind.RUN: "while running",
    RequestKind.COMPARE: "while being timed",
}

_STUDENT_LOSSES_OF_A_RUN = {LossCause.TIMED_OUT, LossCause.OVER_MEMORY}
"""Device code can only take too long or too much; a run worker that dies otherwise is a fault of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One set-up for grading: where workers run, on which engine and ``device``, within which limits.

    ``imitated`` names what the emulator imitates. ``modelled_counts``: whether modelled speedups earn speed points.
    ``trusted``: whoever grades said that no submission is hostile.
    """

    sandbox: Sandbox
    engine: EngineKind
    device: Device
    imitated: str
    limits: LimitSettings
    modelled_counts: bool
    trusted: bool = False

    @classmethod
    def open(
        cls,
        sandbox: Sandbox,
        engine: EngineKind,
        imitated: str,
        limits: LimitSettings,
        *,
        modelled_counts: bool,
    ) -> Self:
        """A bench on ``engine``; the emulator imitates the device called ``imitated``.

        Raises: ``UserError`` where that engine cannot be had here.
        """
        bench = cls(
            sandbox=sandbox,
            engine=engine,
            device=by_name(imitated),
            imitated=imitated,
            limits=limits,
            modelled_counts=modelled_counts,
        )
        bench.prepare(WorkerRole.ASSEMBLE)
        with bench._worker(WorkerRole.RUN) as worker:
            return dataclasses.replace(bench, device=worker.ready.device or bench.device)

    @property
    def engine_info(self) -> EngineInfo:
        """What runs the kernels."""
        return EngineInfo(kind=self.engine, device=self.device.name)

    @property
    def isolation(self) -> Isolation:
        """What stands between the submissions and this machine."""
        return Isolation(sandbox=self.sandbox.name, trusted=self.trusted)

    def within(self, limits: Mapping[str, float]) -> Self:
        """The same set-up with a lab's own limits, where they are tighter."""
        return dataclasses.replace(self, limits=self.limits.within(limits))

    def emulating(self) -> Self:
        """The same set-up on the emulator, for what a GPU does not tell."""
        device = by_name(self.imitated)
        return dataclasses.replace(self, engine=EngineKind.EMULATOR, device=device)

    def prepare(self, role: WorkerRole) -> None:
        """A worker of this role will be asked for soon: the sandbox may start it meanwhile."""
        self.sandbox.prepare(self._settings(role))

    def build(self, request: BuildRequest) -> BuildOutcome:
        """Build in fresh workers. One that is lost to the student's code is a fault in the outcome.

        The worker that translates may run student code. What it says is cut down to PTX and where it comes from, and
        a second worker, in which no student code has run, makes of it what grading relies on.
        Raises: ``InfrastructureError``; ``UserError`` where this machine lacks what builds.
        """
        self.prepare(WorkerRole.ASSEMBLE)
        try:
            told = _again_after_a_death(lambda: self._translation(request))
        except WorkerLostError as loss:
            return BuildOutcome(fault=_build_fault(loss, RequestKind.TRANSLATE))
        translation = vetted(told, request)
        if translation.module is None:
            return translation.completed(BuildOutcome())
        assembly = AssemblyRequest.of(translation.module, request)
        try:
            outcome = _again_after_a_death(lambda: self._assembled(assembly))
        except WorkerLostError as loss:
            outcome = BuildOutcome(fault=_build_fault(loss, RequestKind.ASSEMBLE))
        return translation.completed(outcome)

    def _translation(self, request: BuildRequest) -> Translation:
        # A worker that cannot start says so before it has heard of the submission, so its words are its own.
        with self._worker(WorkerRole.BUILD, request.language) as worker:
            return self._answer(worker, RequestKind.TRANSLATE, request, Translation)

    def _assembled(self, request: AssemblyRequest) -> BuildOutcome:
        with self._worker(WorkerRole.ASSEMBLE) as worker:
            return self._answer(worker, RequestKind.ASSEMBLE, request, BuildOutcome)

    def _answer(self, worker: Worker, kind: RequestKind, body: object, expected: type[T]) -> T:
        seconds = self.limits.build_seconds
        with _instructing_nobody(kind):
            return worker.ask(kind, body, expected, seconds=seconds, reply_bytes=_BUILD_REPLY_BYTES)

    @contextmanager
    def session(self) -> Iterator["RunSession"]:
        """A place to run one submission's kernels; its worker starts with the first request."""
        session = RunSession(self)
        try:
            yield session
        finally:
            session.close()

    def _worker(self, role: WorkerRole, language: Language | None = None) -> Worker:
        return self.sandbox.worker(self._settings(role, language))

    def _settings(self, role: WorkerRole, language: Language | None = None) -> WorkerSettings:
        return WorkerSettings(
            role=role,
            limits=self._limits(role),
            engine=self._engine(role),
            device=self.imitated,
            language=language,
        )

    def _engine(self, role: WorkerRole) -> EngineKind | None:
        return self.engine if role is WorkerRole.RUN else None

    def _limits(self, role: WorkerRole) -> WorkerLimits:
        # CUDA reserves far more address space than it uses and the driver starts threads and opens files of its own.
        cuda = role is WorkerRole.RUN and self.engine is EngineKind.CUDA
        return WorkerLimits(
            memory_bytes=0 if cuda else self.limits.memory_mib * MIB,
            processes=0 if cuda else self.limits.processes,
            open_files=0 if cuda else self.limits.open_files,
            file_bytes=self.limits.file_mib * MIB,
            cpu_seconds=0,
            scratch_bytes=self.limits.scratch_mib * MIB,
            cpus=self.limits.cpus,
        )


@contextmanager
def _instructing_nobody(kind: RequestKind) -> Iterator[None]:
    """Within it a worker is asked, and what it says that it cannot do is a fault with this one submission.

    A worker that cannot start says so before it has heard of any, so its words are its own; later the submission may
    have spoken for it, and stops no one else. Raises: ``InfrastructureError``.
    """
    try:
        yield
    except (InfrastructureError, UserError) as error:
        msg = f"{_DOING[kind]}, a worker said that it could not: {clean(str(error), MAX_REASON)}"
        raise InfrastructureError(msg) from None


def _again_after_a_death(ask: Callable[[], T]) -> T:
    """What ``ask`` gives. Anyone may have killed a worker that died; the last death is the submission's own doing."""
    for _ in range(_DEATHS - 1):
        try:
            return ask()
        except WorkerLostError as loss:
            if loss.cause is not LossCause.DIED:
                raise
    return ask()


class RunSession:
    """One submission's run worker, replaced after every fault so that nothing carries over."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._worker: Worker | None = None
        self._inputs = Sender()

    def run(self, work: Work, *, schedule_seed: int = 0) -> RunResult:
        """Carry out ``work``, in the order that a seed stands for without the diagnosis of the natural one.

        Raises: ``InfrastructureError``.
        """
        options = dataclasses.replace(
            self._options(), schedule_seed=schedule_seed, diagnostics=schedule_seed == 0
        )
        (sent,), fresh = self._inputs.pack(work)
        request = RunRequest(work=sent, options=options, fresh=fresh)
        seconds = self._bench.limits.run_seconds + _GRACE_SECONDS
        try:
            result = self._ask(RequestKind.RUN, request, RunResult, seconds, _written_bytes(work))
        except WorkerLostError as loss:
            return RunResult(outputs={}, fault=self._fault(loss))
        if result.fault is not None:
            self.close()
        return result

    def compare(
        self,
        baseline: Work,
        submission: Work,
        checks: Sequence[OutputCheck] = (),
        targets: Sequence[float] = (),
    ) -> Comparison:
        """Time ``submission`` against ``baseline``, with ``checks`` of what it writes.

        ``targets`` are the speedups over this baseline that something depends on. Raises: ``InfrastructureError``.
        """
        options = dataclasses.replace(self._options(), targets=tuple(targets))
        (first, second), fresh = self._inputs.pack(baseline, submission)
        request = CompareRequest(
            baseline=first, submission=second, options=options, checks=tuple(checks), fresh=fresh
        )
        seconds = self._bench.limits.run_seconds * _COMPARE_FACTOR + _GRACE_SECONDS
        try:
            comparison = self._ask(RequestKind.COMPARE, request, Comparison, seconds, 0)
        except WorkerLostError as loss:
            return Comparison(pairs=(), modelled=False, fault=self._fault(loss))
        if comparison.fault is not None:
            self.close()
        return comparison

    def close(self) -> None:
        """End the worker, if there is one, and let the next submission have the device."""
        worker, self._worker = self._worker, None
        self._inputs = Sender()
        if worker is not None:
            worker.close()

    def _ask(self, kind: RequestKind, body: Any, expected: type[T], seconds: float, output_bytes: int) -> T:
        worker = self._started()
        reply_bytes = output_bytes + self._bench.limits.output_mib * MIB
        with _instructing_nobody(kind):
            return worker.ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)

    def _started(self) -> Worker:
        if self._worker is None:
            self._worker = self._bench._worker(WorkerRole.RUN)  # noqa: SLF001 - a session is the bench's other half
        return self._worker

    def _fault(self, loss: WorkerLostError) -> Fault:
        self.close()
        if loss.cause not in _STUDENT_LOSSES_OF_A_RUN:
            msg = f"a run worker was lost: {loss}: {clean(loss.detail, MAX_REASON)}"
            raise InfrastructureError(msg) from loss
        return Fault(verdict=_LOSS_VERDICTS[loss.cause], reason=f"while running, {loss}")

    def _options(self) -> RunOptions:
        return RunOptions(max_steps=self._bench.limits.steps, timeout=self._bench.limits.run_seconds)


def _written_bytes(work: Work) -> int:
    return sum(buffer.nbytes for buffer in work.plan.buffers)


def _build_fault(loss: WorkerLostError, kind: RequestKind) -> Fault:
    return Fault(verdict=_LOSS_VERDICTS[loss.cause], reason=f"{_DOING[kind]}, {loss}")
