"""A sandbox that reports a GPU but runs everything on the emulator, to test GPU paths without a GPU."""

from dataclasses import replace
from typing import Any, TypeVar, cast

from grader.config.settings import LimitSettings
from grader.engines.builtin import EMULATOR
from grader.grading.environment import GradingEnvironment
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use
from grader.model.device import Device
from grader.model.devices import TESLA_T4
from grader.model.report import Visibility
from grader.model.run import EngineKind
from grader.sandbox.port import Sandbox, Worker
from grader.worker.messages import RequestKind, WorkerSettings
from tools.forwarding_sandbox import ForwardingSandbox, ForwardingWorker
from tools.labs import built_in_labs

T = TypeVar("T")


class FakeGpuWorker(ForwardingWorker):
    """Presents the emulator's modelled times as measured ones."""

    def ask(self, kind: RequestKind, body: Any, expected: type[T], *, seconds: float, reply_bytes: int) -> T:
        """See the port."""
        reply: Any = super().ask(kind, body, expected, seconds=seconds, reply_bytes=reply_bytes)
        return cast("T", replace(reply, modelled=False) if kind is RequestKind.COMPARE else reply)


class FakeGpuSandbox(ForwardingSandbox):
    """Starts an emulator worker for each request for a worker with a GPU."""

    def worker(self, settings: WorkerSettings) -> Worker:
        """See the port."""
        worker = super().worker(_emulated(settings))
        return FakeGpuWorker(worker) if settings.needs_gpu else worker

    def prepare(self, settings: WorkerSettings) -> None:
        """See the port."""
        super().prepare(_emulated(settings))


def _emulated(settings: WorkerSettings) -> WorkerSettings:
    return settings if settings.engine is None else replace(settings, engine=EMULATOR)


def fake_gpu_environment(sandbox: Sandbox, device: Device = TESLA_T4) -> GradingEnvironment:
    """An environment of the CUDA engine on an emulated ``device``."""
    return GradingEnvironment(
        sandbox=FakeGpuSandbox(sandbox),
        engine=EngineKind.CUDA,
        device=device,
        limits=LimitSettings(),
        modelled_counts=True,
    )


def lab_on_a_gpu(name: str, timed: dict[str, int]) -> Lab:
    """The lab with its emulator cases for both engines, and one more GPU case for timing, of sizes ``timed``."""
    lab = built_in_labs().get(name)
    cases = [case for case in lab.manifest.cases if EngineKind.EMULATOR in case.engines]
    both = [replace(case, engines=frozenset(EngineKind)) for case in cases]
    larger = Case(
        name="larger",
        visibility=Visibility.PUBLIC,
        use=frozenset({Use.TIME}),
        sizes=timed,
        inputs=cases[0].inputs,
        engines=frozenset({EngineKind.CUDA}),
    )
    manifest = replace(lab.manifest, cases=(*both, larger))
    return type(lab)(manifest, lab.folder, lab.reference)
