"""Opens an engine by name and imports it only then."""

from grader.engines.port import Engine
from grader.model.device import Device
from grader.model.run import EngineKind


def open_engine(kind: EngineKind, device: Device) -> Engine:
    """The engine of ``kind``; ``device`` is what the emulator imitates and is ignored by a real GPU.

    Raises: ``UserError`` where this machine lacks what the engine needs.
    """
    if kind is EngineKind.CUDA:
        from grader.engines.cuda.engine import CudaEngine  # noqa: PLC0415 - CuPy is an optional dependency

        return CudaEngine()
    from grader.engines.emulator.engine import EmulatorEngine  # noqa: PLC0415 - Numba takes a while to import

    return EmulatorEngine(device)
