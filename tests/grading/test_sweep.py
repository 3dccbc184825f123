"""Sweeps of a macro or a size over several values, with real builds on the emulator."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.errors import UserError
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, submission_of
from grader.grading.sweep import Variation, sweep, timed_case
from grader.labs.registry import discover
from grader.languages import by_suffix
from grader.model.run import EngineKind
from grader.model.sweep import SweepFigure, SweepRow
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.messages import english
from tools.paths import CHECKOUT

MATMUL = CHECKOUT / "reference" / "matmul"


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    with ProcessSandbox() as sandbox:
        yield RungModules(
            GradingEnvironment.open(
                sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
            )
        )


def swept(
    rungs: RungModules,
    path: Path,
    over: str,
    values: tuple[int, ...],
    lab: str = "matmul",
    kernel: str = "matmul",
    shows: SweepFigure = SweepFigure.TIME,
) -> list[SweepRow]:
    chosen = discover().get(lab)
    submission = submission_of(chosen, [path], by_suffix()[path.suffix].key, "student-01")
    variation = Variation(over=over, values=values, kernel=kernel, shows=shows)
    return list(sweep(chosen, submission, variation, rungs, seed=7))


@pytest.mark.parametrize("suffix", by_suffix())
def test_larger_tiles_are_faster_until_a_block_is_too_large(rungs: RungModules, suffix: str) -> None:
    rows = swept(rungs, MATMUL / f"shared{suffix}", "TILE", (8, 16, 64))
    small, large, too_large = rows
    assert [row.verdict for row in rows] == [Verdict.ACCEPTED, Verdict.ACCEPTED, Verdict.CRASHED]
    assert small.seconds is not None
    assert large.seconds is not None
    assert large.seconds < small.seconds
    assert [row.shared_bytes for row in rows] == [2 * 4 * tile * tile for tile in (8, 16, 64)]
    assert [row.threads_per_block for row in rows] == [64, 256, 4096]
    assert (too_large.seconds, too_large.occupancy, too_large.limiter) == (None, 0.0, "threads")
    assert "4,096 threads" in english(too_large.reason)


def test_speedups_are_over_the_baseline_of_the_lab(rungs: RungModules) -> None:
    (alone,) = swept(rungs, MATMUL / "global.cu", "m", (160,))
    assert alone.speedup == pytest.approx(1.0)


def test_a_value_that_is_wrong_has_a_reason_and_no_time(rungs: RungModules, tmp_path: Path) -> None:
    source = (MATMUL / "shared.cu").read_text(encoding="utf-8")
    path = tmp_path / "matmul.cu"
    path.write_text(f"// launch: matmul block=16,16 grid=ceil(n/16),ceil(m/16)\n{source}", encoding="utf-8")
    right, wrong = swept(rungs, path, "TILE", (16, 32))
    assert (right.verdict, wrong.verdict) == (Verdict.ACCEPTED, Verdict.WRONG)
    assert right.seconds is not None
    assert wrong.seconds is None
    assert wrong.reason.code == "in-case"
    assert wrong.registers is not None


def test_a_value_that_does_not_build_is_a_row_too(rungs: RungModules) -> None:
    right, unbuilt = swept(rungs, MATMUL / "shared.cu", "TILE", (16, 128))
    assert right.verdict is Verdict.ACCEPTED
    assert (unbuilt.verdict, unbuilt.registers) == (Verdict.FAILED_TO_BUILD, None)
    assert "shared" in english(unbuilt.reason)


def test_a_macro_that_the_file_does_not_define_is_said_at_once(rungs: RungModules) -> None:
    with pytest.raises(UserError, match="does not define BLOCKS, and no size of matmul is called so"):
        swept(rungs, MATMUL / "shared.cu", "BLOCKS", (1, 2))


def test_a_size_that_no_case_can_have_is_a_row_too(rungs: RungModules) -> None:
    path = CHECKOUT / "reference" / "transpose" / "global.cu"
    kernel = discover().get("transpose").manifest.kernels[0].spec.name
    too_many, right = swept(rungs, path, "cols", (2**52, 32), "transpose", kernel)
    assert (too_many.verdict, too_many.seconds) == (Verdict.NOT_GRADABLE, None)
    assert right.verdict is Verdict.ACCEPTED


def test_a_size_is_swept_by_changing_the_case(rungs: RungModules) -> None:
    path = CHECKOUT / "reference" / "transpose" / "global.cu"
    kernel = discover().get("transpose").manifest.kernels[0].spec.name
    rows = swept(rungs, path, "cols", (32, 64), "transpose", kernel, SweepFigure.BANDWIDTH)
    assert [row.verdict for row in rows] == [Verdict.ACCEPTED, Verdict.ACCEPTED]
    rows_of_it = timed_case(discover().get("transpose"), EngineKind.EMULATOR).sizes["rows"]
    assert [row.useful_bytes for row in rows] == [2 * 4 * rows_of_it * cols for cols in (32, 64)]
    for row in rows:
        assert row.bandwidth is not None
        assert row.seconds is not None
        assert row.bandwidth * row.seconds == pytest.approx(row.useful_bytes)
