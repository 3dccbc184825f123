"""The roofline and latency arithmetic of real kernels, counted by the emulator."""

import math
from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.judge import roofline
from grader.labs.manifest import largest_public
from grader.labs.registry import discover
from grader.model.devices import TESLA_T4
from grader.model.performance_bounds import Arithmetic
from grader.model.report import KernelReport
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(
                sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
            )
        )


def graded(
    rungs: RungModules, lab_name: str, rung: str, language: Language = Language.CUDA_C
) -> KernelReport:
    lab = built_in_labs().get(lab_name)
    files = rung_files(lab, lab.manifest.rung(rung), language)
    report = grade(lab, submission_of(lab, files, language, "s"), rungs, seed=7, choice=PUBLIC_CASES)
    return report.kernels[0]


@pytest.mark.parametrize("language", Language)
def test_16_by_16_tiles_do_16_operations_per_float(rungs: RungModules, language: Language) -> None:
    kernel = graded(rungs, "matmul", "shared", language)
    assert kernel.roofline is not None
    assert kernel.seconds is not None
    case = largest_public(discover().get("matmul").manifest.cases)
    assert case is not None
    m, n, k = (case.sizes[name] for name in "mnk")
    # Tiles beyond the edge compute with zeros. Apart from the tiles, each element of the result is written once.
    computed = 2 * math.prod(-(-size // 16) * 16 for size in (m, n, k))
    moved = computed / 16 + m * n
    assert kernel.roofline.intensity * 4 == pytest.approx(computed / moved, rel=0.01)
    assert kernel.roofline.operations_per_second == pytest.approx(computed / kernel.seconds, rel=0.05)
    assert kernel.roofline.bound == pytest.approx(kernel.roofline.intensity * TESLA_T4.dram_bandwidth)
    assert kernel.roofline.best_intensity == pytest.approx(computed / (4 * (m * k + k * n + m * n)), rel=0.05)


def test_without_tiles_the_intensity_is_lower(rungs: RungModules) -> None:
    kernel = graded(rungs, "matmul", "global")
    assert kernel.roofline is not None
    assert kernel.roofline.arithmetic is Arithmetic.FLOAT32
    points = {point.rung: point for point in kernel.roofline.rungs}
    assert points["global"].intensity == pytest.approx(kernel.roofline.intensity)
    assert points["global"].operations_per_second == pytest.approx(kernel.roofline.operations_per_second)
    assert points["shared"].intensity > kernel.roofline.intensity


def test_a_transpose_computes_nothing_and_has_a_bandwidth(rungs: RungModules) -> None:
    kernel = graded(rungs, "transpose", "global")
    assert kernel.roofline is not None
    assert kernel.roofline.intensity == 0
    assert kernel.roofline.rungs == ()
    assert kernel.roofline.bytes_per_second is not None
    assert 0 < kernel.roofline.bytes_per_second < TESLA_T4.dram_bandwidth


def test_the_warps_there_are_those_of_the_occupancy(rungs: RungModules) -> None:
    kernel = graded(rungs, "matmul", "shared")
    assert kernel.latency is not None
    assert kernel.resources is not None
    assert kernel.latency.there == kernel.resources.active_warps
    assert kernel.latency.most == TESLA_T4.max_warps_per_sm
    assert kernel.latency.needed == -int(-500 // (0.5 * kernel.latency.instructions)) + 1
    assert kernel.resources.active_warps == round(kernel.resources.occupancy * kernel.latency.most)


def test_no_rate_above_the_devices_peak_is_shown(rungs: RungModules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roofline, "peak", lambda *_: 1.0)
    kernel = graded(rungs, "matmul", "shared")
    assert kernel.roofline is not None
    assert (kernel.roofline.operations_per_second, kernel.roofline.share) == (None, None)
    assert kernel.roofline.rungs == ()
