"""The engines that Grader brings."""

from grader.engines.support import EngineSupport
from grader.model.run import EngineKind

EMULATOR = EngineSupport(
    key=EngineKind.EMULATOR,
    on_gpu=False,
    modelled=True,
    counts=True,
    cases=EngineKind.EMULATOR,
    opener="grader.engines.emulator.engine:EmulatorEngine",
    preparation="grader.engines.emulator.warm_up:warm_up",
)

CUDA = EngineSupport(
    key=EngineKind.CUDA,
    on_gpu=True,
    modelled=False,
    counts=False,
    cases=EngineKind.CUDA,
    opener="grader.engines.cuda.engine:open_first_gpu",
)
