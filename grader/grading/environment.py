"""What grading works with: a sandbox, an engine, limits; and asking a worker to build or to run."""

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self, TypeVar

from grader.config.settings import MIB, LimitSettings
from grader.grading.sanitize_worker_output import sanitize
from grader.grading.session import RunSession
from grader.grading.worker_failures import as_infrastructure_error, build_fault, retry_on_worker_death
from grader.model.build import AssemblyRequest, BuildOutcome, BuildRequest, Translation
from grader.model.device import Device
from grader.model.devices import by_name
from grader.model.report import EngineInfo, Isolation
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.sandbox.port import Sandbox, Worker, WorkerLostError
from grader.worker.messages import (
    RequestKind,
    WorkerLimits,
    WorkerRole,
    WorkerSettings,
)

T = TypeVar("T")

_BUILD_REPLY_BYTES = 64 * MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingEnvironment:
    """One set-up for grading: where workers run, on which engine and ``device``, within which limits.

    ``device`` is the GPU, or what the emulator imitates. ``modelled_counts``: whether modelled speedups earn speed
    points. ``trusted``: whoever grades said that no submission is hostile.
    """

    sandbox: Sandbox
    engine: EngineKind
    device: Device
    limits: LimitSettings
    modelled_counts: bool
    trusted: bool = False

    @classmethod
    def open(  # noqa: PLR0913 - a constructor by name
        cls,
        sandbox: Sandbox,
        engine: EngineKind,
        imitated: str,
        limits: LimitSettings,
        *,
        modelled_counts: bool,
        probe: bool = True,
    ) -> Self:
        """An environment on ``engine``; the emulator imitates the device called ``imitated``.

        Without ``probe`` the emulator's worker starts in the background: its device is known already.
        Raises: ``UserError`` where that engine cannot be had here.
        """
        environment = cls(
            sandbox=sandbox,
            engine=engine,
            device=by_name(imitated),
            limits=limits,
            modelled_counts=modelled_counts,
        )
        environment.prepare(WorkerRole.ASSEMBLE)
        if engine is EngineKind.EMULATOR and not probe:
            environment.prepare(WorkerRole.RUN)
            return environment
        with environment._worker(WorkerRole.RUN) as worker:
            return dataclasses.replace(environment, device=worker.ready.device or environment.device)

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
        """The same set-up on the emulator, which imitates the same device, for what a GPU does not tell."""
        return dataclasses.replace(self, engine=EngineKind.EMULATOR)

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
            told = retry_on_worker_death(lambda: self._translation(request))
        except WorkerLostError as loss:
            return BuildOutcome(fault=build_fault(loss, RequestKind.TRANSLATE))
        translation = sanitize(told, request)
        if translation.module is None:
            return translation.completed(BuildOutcome())
        assembly = AssemblyRequest.of(translation.module, request)
        try:
            outcome = retry_on_worker_death(lambda: self._assembled(assembly))
        except WorkerLostError as loss:
            outcome = BuildOutcome(fault=build_fault(loss, RequestKind.ASSEMBLE))
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
        with as_infrastructure_error(kind):
            return worker.ask(kind, body, expected, seconds=seconds, reply_bytes=_BUILD_REPLY_BYTES)

    @contextmanager
    def session(self) -> Iterator[RunSession]:
        """A place to run one submission's kernels; its worker starts with the first request."""
        session = RunSession(self.limits, self.engine, lambda: self._worker(WorkerRole.RUN))
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
            engine=self.engine if role is WorkerRole.RUN else None,
            device=self.device,
            language=language,
        )

    def _limits(self, role: WorkerRole) -> WorkerLimits:
        # CUDA reserves far more address space than it uses and the driver starts threads and opens files of its own.
        cuda = role is WorkerRole.RUN and self.engine is EngineKind.CUDA
        return WorkerLimits(
            memory_bytes=0 if cuda else self.limits.memory_mib * MIB,
            processes=0 if cuda else self.limits.processes,
            open_files=0 if cuda else self.limits.open_files,
            file_bytes=self.limits.file_mib * MIB,
            scratch_bytes=self.limits.scratch_mib * MIB,
            cpus=self.limits.cpus,
        )
