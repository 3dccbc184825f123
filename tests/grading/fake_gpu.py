"""A grading environment that claims a GPU and runs everything on the emulator: GPU paths tested without a GPU."""

from dataclasses import replace

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use
from grader.labs.registry import discover
from grader.model.devices import by_name
from grader.model.report import Visibility
from grader.model.run import EngineKind
from grader.sandbox.port import Sandbox


class FakeGpuEnvironment(GradingEnvironment):
    """Asks the emulator wherever a GPU would be asked."""

    @property
    def _engine(self) -> EngineKind:
        return EngineKind.EMULATOR


def fake_gpu_environment(sandbox: Sandbox) -> GradingEnvironment:
    """A bench of the CUDA engine on an imitated T4."""
    return FakeGpuEnvironment(
        sandbox=sandbox,
        engine=EngineKind.CUDA,
        device=by_name("t4"),
        limits=LimitSettings(),
        modelled_counts=True,
    )


def lab_on_a_gpu(name: str, timed: dict[str, int]) -> Lab:
    """The lab with the cases of the emulator for both engines, and for a GPU one more to time, of sizes ``timed``."""
    lab = discover().get(name)
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
