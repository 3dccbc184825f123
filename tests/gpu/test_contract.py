"""A real GPU keeps the engine port's contract."""

import pytest
from cuda.bindings import nvrtc

from grader.engines.cuda.engine import CudaEngine
from grader.engines.port import Engine
from grader.model.confidence import EARLY_CHECKPOINT
from grader.model.diagnostic import DiagnosticKind
from grader.model.plan import Role
from grader.model.reason import reason
from grader.model.run import EngineKind, LaunchJob, RunOptions, RunResult
from tests.engines.contract import OPTIONS, SHORT, EngineContract, launch, launch_job, vector
from tests.gpu.disposable import run_elsewhere

pytestmark = [pytest.mark.gpu, pytest.mark.alone]


class TestCuda(EngineContract):
    """The first GPU of this machine."""

    modelled = False

    @pytest.fixture
    def engine(self, cuda_engine: CudaEngine) -> CudaEngine:
        return cuda_engine

    def run_disposably(self, engine: Engine, lethal: LaunchJob, options: RunOptions) -> RunResult:
        """Run in another process: the context does not survive."""
        assert engine.kind is EngineKind.CUDA
        return run_elsewhere(lethal, options).result

    def test_it_is_the_gpu(self, engine: CudaEngine) -> None:
        assert engine.kind is EngineKind.CUDA
        assert engine.device.dram_bandwidth > 1e11
        assert not engine.poisoned

    def test_a_comparison_has_enough_pairs_for_an_interval(self, engine: CudaEngine) -> None:
        same = _on_c(engine, "first_half", 1000)
        assert len(engine.compare(same, same, OPTIONS).pairs) >= EARLY_CHECKPOINT

    @pytest.mark.parametrize(
        ("kernel", "code", "distance"),
        [
            ("past_the_end", "guard-past-end", "right-behind-last-element"),
            ("before_the_start", "guard-before-start", "right-before-first-element"),
        ],
    )
    def test_a_damaged_guard_names_the_buffer(
        self, engine: CudaEngine, kernel: str, code: str, distance: str
    ) -> None:
        result = engine.run(_on_c(engine, kernel, 1000), OPTIONS)
        assert result.fault is not None
        assert result.fault.reason == reason(code, buffer="c", distance=reason(distance))
        assert [diagnostic.kind for diagnostic in result.diagnostics] == [DiagnosticKind.OUT_OF_BOUNDS]

    @pytest.mark.parametrize(
        ("kernel", "options", "code"),
        [
            ("null_write", OPTIONS, "gpu-illegal-address"),
            ("misaligned", OPTIONS, "gpu-misaligned-address"),
            ("endless", SHORT, "gpu-time-out"),
        ],
    )
    def test_an_engine_that_lost_its_context_says_so(
        self, engine: CudaEngine, kernel: str, options: RunOptions, code: str
    ) -> None:
        answer = run_elsewhere(_on_c(engine, kernel, 1), options)
        assert answer.poisoned
        assert answer.result.fault is not None
        assert answer.result.fault.reason.code == code

    def test_runs_the_ptx_where_there_is_no_cubin_for_it(self, engine: CudaEngine) -> None:
        if not _driver_knows_our_ptx():
            pytest.skip("NVRTC here is later than the driver, which cannot compile its PTX")
        only = (launch("first_half", "c", 2, threads=1, block=1),)
        foreign = launch_job(
            (vector("c", Role.OUTPUT, 2),), only, {}, "sm_75" if engine.device.arch != "sm_75" else "sm_90"
        )
        assert engine.run(foreign, OPTIONS).outputs["c"][:4] == bytes(4)


def _driver_knows_our_ptx() -> bool:
    import cupy  # noqa: PLC0415 - a host without a GPU collects this file too

    _, major, minor = nvrtc.nvrtcVersion()
    return bool(1000 * major + 10 * minor <= cupy.cuda.runtime.driverGetVersion())


def _on_c(engine: CudaEngine, kernel: str, n: int) -> LaunchJob:
    only = (launch(kernel, "c", n, threads=1, block=1),)
    return launch_job((vector("c", Role.OUTPUT, 1000),), only, {}, engine.device.arch)
