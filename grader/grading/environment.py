"""The grading environment: sandbox, engine, device and limits, with requests to build and run workers."""

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Self, TypeVar

from grader.config.settings import MIB, LimitSettings
from grader.engines.registry import support
from grader.engines.support import EngineSupport
from grader.errors import UserError
from grader.grading.budget import Budget
from grader.grading.control import confirm_builds, confirm_runs
from grader.grading.languages import LanguageUnavailableError
from grader.grading.sanitize_worker_output import sanitize
from grader.grading.session import RunSession
from grader.grading.worker_failures import Control, blame_code, blame_machine, build_fault, proven_in_build
from grader.languages import DEFAULT, reference
from grader.model.build import AssemblyRequest, BuildOutcome, BuildRequest, Translation
from grader.model.device import Device
from grader.model.devices import by_name
from grader.model.report import EngineInfo, Isolation, SpeedupKind
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
    """Where workers run, on which engine and ``device``, within which limits.

    ``device`` is the GPU, or the device that the emulator models. ``modelled_counts``: whether modelled speedups earn
    speed points. ``trusted``: staff stated that no submission is hostile. ``budget`` counts the seconds
    of one submission.
    """

    sandbox: Sandbox
    engine: EngineKind
    device: Device
    limits: LimitSettings
    modelled_counts: bool
    trusted: bool = False
    budget: Budget = field(default_factory=Budget, compare=False)

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
        """Open an environment on ``engine``; the emulator models the device called ``imitated``.

        Without ``probe`` the emulator's worker starts in the background, because its device is already known.
        Raises: ``UserError`` if this machine does not support that engine.
        """
        environment = cls(
            sandbox=sandbox,
            engine=engine,
            device=by_name(imitated),
            limits=limits,
            modelled_counts=modelled_counts,
        )
        environment.prepare(WorkerRole.ASSEMBLE)
        if not environment.engine_support.on_gpu and not probe:
            environment.prepare(WorkerRole.RUN)
            return environment
        with environment._worker(WorkerRole.RUN) as worker:
            return dataclasses.replace(environment, device=worker.ready.device or environment.device)

    @property
    def engine_support(self) -> EngineSupport:
        """What is known of the engine. Raises: ``UserError`` if it is not installed."""
        return support(self.engine)

    @property
    def speedup_kind(self) -> SpeedupKind:
        """Where its speedups come from."""
        return SpeedupKind.MODELLED if self.engine_support.modelled else SpeedupKind.MEASURED

    @property
    def engine_info(self) -> EngineInfo:
        """The engine that runs the kernels, and its device."""
        return EngineInfo(kind=self.engine, device=self.device.name)

    @property
    def isolation(self) -> Isolation:
        """The isolation between submissions and this machine."""
        return Isolation(sandbox=self.sandbox.name, trusted=self.trusted)

    def within(self, limits: Mapping[str, float]) -> Self:
        """The same environment with a lab's limits where they are tighter."""
        return dataclasses.replace(self, limits=self.limits.within(limits))

    def metered(self) -> Self:
        """The same environment for one submission, within the seconds that the limits give it."""
        return dataclasses.replace(self, budget=Budget(self.limits.submission_seconds))

    def emulating(self) -> Self:
        """The same environment on the emulator, which models the same device and counts what a GPU cannot."""
        return dataclasses.replace(self, engine=EngineKind.EMULATOR)

    def prepare(self, role: WorkerRole) -> None:
        """Tell the sandbox to start a worker of this role in advance."""
        self.sandbox.prepare(self._settings(role))

    def build(self, request: BuildRequest) -> BuildOutcome:
        """Build a submission in fresh workers. If it makes one fail, the outcome has a fault.

        Raises: ``InfrastructureError`` if a known-good kernel does not build either; ``LanguageUnavailableError`` if
        the language does not work on this machine.
        """
        return self._built(request, self.budget, lambda _: confirm_builds(self, request.language))

    def translate(self, request: BuildRequest) -> Translation:
        """Compile a submission to PTX and assemble nothing; otherwise as ``build``."""
        return self._translated(request, self.budget, lambda _: confirm_builds(self, request.language))

    def translate_own(self, request: BuildRequest) -> Translation:
        """Compile code of Grader's own, as ``translate``: the caller decides what a fault means."""
        return self._translated(request, Budget(), blame_code)

    def build_own(self, request: BuildRequest) -> BuildOutcome:
        """Build code of Grader's own, as ``build``: the caller decides what a fault means."""
        return self._built(request, Budget(), blame_code)

    @contextmanager
    def session(self) -> Iterator[RunSession]:
        """Open a session that runs one submission's kernels; its worker starts with the first request."""
        yield from self._session(self.budget, lambda _: confirm_runs(self, DEFAULT))

    @contextmanager
    def own_session(self) -> Iterator[RunSession]:
        """Open a session that runs kernels of Grader's own: the machine is at fault for a lost worker."""
        yield from self._session(Budget(), blame_machine)

    def _session(self, budget: Budget, control: Control) -> Iterator[RunSession]:
        start = partial(self._worker, WorkerRole.RUN)
        with closing(RunSession(self.limits, self.engine, start, budget, control)) as session:
            yield session

    def _built(self, request: BuildRequest, budget: Budget, control: Control) -> BuildOutcome:
        self.prepare(WorkerRole.ASSEMBLE)
        translation = self._translated(request, budget, control)
        if translation.module is None:
            return translation.completed(BuildOutcome())
        assembly = AssemblyRequest.of(translation.module, request)
        try:
            outcome = proven_in_build(lambda: self._assembled(assembly, budget), control)
        except WorkerLostError as loss:
            outcome = BuildOutcome(fault=build_fault(loss, RequestKind.ASSEMBLE))
        return translation.completed(outcome)

    def _translated(self, request: BuildRequest, budget: Budget, control: Control) -> Translation:
        try:
            reply = proven_in_build(lambda: self._translation(request, budget), control)
        except WorkerLostError as loss:
            return Translation(fault=build_fault(loss, RequestKind.TRANSLATE))
        return sanitize(reply, request)

    def _translation(self, request: BuildRequest, budget: Budget) -> Translation:
        try:
            worker = self._worker(WorkerRole.BUILD, request.language)
        except UserError as error:
            # A worker reports this before it receives the submission, so the report can be trusted.
            raise LanguageUnavailableError(request.language, error) from error
        with worker:
            return self._answer(worker, RequestKind.TRANSLATE, request, Translation, budget)

    def _assembled(self, request: AssemblyRequest, budget: Budget) -> BuildOutcome:
        with self._worker(WorkerRole.ASSEMBLE) as worker:
            return self._answer(worker, RequestKind.ASSEMBLE, request, BuildOutcome, budget)

    def _answer(
        self, worker: Worker, kind: RequestKind, body: object, expected: type[T], budget: Budget
    ) -> T:
        with budget.spend(self.limits.build_seconds) as seconds:
            return worker.ask(kind, body, expected, seconds=seconds, reply_bytes=_BUILD_REPLY_BYTES)

    def _worker(self, role: WorkerRole, language: Language | None = None) -> Worker:
        return self.sandbox.worker(self._settings(role, language))

    def _settings(self, role: WorkerRole, language: Language | None = None) -> WorkerSettings:
        return WorkerSettings(
            role=role,
            limits=self._limits(role),
            engine=self.engine_support if role is WorkerRole.RUN else None,
            device=self.device,
            languages=() if language is None else (reference(language),),
        )

    def _limits(self, role: WorkerRole) -> WorkerLimits:
        # CUDA reserves far more address space than it uses, and the driver starts threads and opens files.
        on_gpu = role is WorkerRole.RUN and self.engine_support.on_gpu
        return WorkerLimits(
            memory_bytes=0 if on_gpu else self.limits.memory_mib * MIB,
            processes=0 if on_gpu else self.limits.processes,
            open_files=0 if on_gpu else self.limits.open_files,
            file_bytes=self.limits.file_mib * MIB,
            scratch_bytes=self.limits.scratch_mib * MIB,
            cpus=self.limits.cpus,
        )
