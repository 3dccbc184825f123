"""Programs that are timed end to end on a real GPU: honest ones rank, dishonest ones gain nothing."""

from pathlib import Path

import pytest

from grader.errors import UserError
from grader.grading.programs.timing import ProgramTimes
from grader.judge.speed import speedup
from grader.model.verdict import Verdict
from grader.sandbox.bubblewrap import unavailable
from grader.sandbox.gpu import chosen_gpu
from grader.sandbox.program_start import Confined
from tools.timed_sums import PAGEABLE, PINNED, SHARED, built, timed

pytestmark = [pytest.mark.gpu, pytest.mark.alone]

N = 1 << 22


def gain(times: ProgramTimes) -> float:
    """The speedup over the reference."""
    assert times.comparison.fault is None
    return speedup(times.comparison, "reference").value


def test_a_program_against_itself_is_as_fast() -> None:
    times = timed(built("steps", SHARED), built("steps", SHARED), N)
    assert 0.9 < gain(times) < 1.1
    assert times.flags == ()


def test_pinned_memory_pays_end_to_end() -> None:
    times = timed(built("steps", PINNED), built("steps", PAGEABLE), 1 << 24)
    assert gain(times) > 2
    assert times.flags == ()
    assert times.floor_seconds > 0


@pytest.mark.skipif(unavailable() is not None, reason="bubblewrap makes no sandbox here")
def test_a_program_in_the_sandbox_is_timed_alike(tmp_path: Path) -> None:
    times = timed(
        built("steps", PINNED), built("steps", PAGEABLE), 1 << 24, start=Confined(tmp_path, chosen_gpu())
    )
    assert gain(times) > 2


@pytest.mark.parametrize("name", ["works_before", "seeks_residue"])
def test_an_answer_that_is_not_computed_from_the_inputs_is_wrong(name: str) -> None:
    fault = timed(built(name), built("steps", SHARED), N).comparison.fault
    assert fault is not None
    assert (fault.verdict, fault.reason.code) == (Verdict.WRONG, "wrong-while-timed")


def test_functions_of_the_runtime_cannot_be_replaced() -> None:
    with pytest.raises(UserError, match="multiple definition"):
        built("patched_runtime")


def test_a_program_that_leaves_the_gpu_idle_is_flagged() -> None:
    times = timed(built("cpu_only"), built("steps", SHARED), N)
    assert "gpu-idle-while-timed" in {each.code for each in times.flags}


def test_an_answer_faster_than_the_bytes_move_is_flagged() -> None:
    times = timed(built("steps", PINNED), built("steps", PAGEABLE), 1 << 24, least=built("steps", PAGEABLE))
    assert "faster-than-bus" in {each.code for each in times.flags}
