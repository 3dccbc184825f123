"""The output of a timed launch is compared with the baseline's, element by element."""

import numpy as np
import pytest

from grader.engines.timed_output_check import OutputPair, count_differing, count_wrong, wrong_output_fault
from grader.model.element_types import DType
from grader.model.plan import Buffer, LaunchPlan, Role
from grader.model.reason import reason
from grader.model.run import OutputCheck
from grader.model.verdict import Verdict


def count(left: list[float], right: list[float], allowed: float = 0.0, dtype: DType = DType.FLOAT32) -> int:
    ours, theirs = (np.array(values, dtype.numpy).tobytes() for values in (left, right))
    return count_differing(ours, theirs, dtype, allowed)


def test_equal_elements_do_not_differ() -> None:
    assert count([1, 2, np.inf, np.nan], [1, 2, np.inf, np.nan]) == 0


def test_the_bound_is_absolute() -> None:
    assert count([1, 1, -1], [1.5, 1.25, 1], allowed=0.25) == 2


def test_signed_zeros_are_one_number() -> None:
    assert count([0.0], [-0.0]) == 0


@pytest.mark.parametrize("other", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_never_passes_for_one(other: float) -> None:
    assert count([1.0, other], [other, 1.0], allowed=1e30) == 2


@pytest.mark.parametrize(("allowed", "wrong"), [(0.0, 1), (0.5, 1), (1.0, 0)])
def test_the_distance_of_integers_is_exact_however_large(allowed: float, wrong: int) -> None:
    ours, theirs = (np.array([number, 5], np.int64).tobytes() for number in (2**62, 2**62 + 1))
    assert count_differing(ours, theirs, DType.INT64, allowed) == wrong


def test_poison_left_standing_differs() -> None:
    answer = np.ones(4, np.float32).tobytes()
    assert count_differing(b"\xff" * 16, answer, DType.FLOAT32, 1e30) == 4


def test_arrays_of_different_sizes_are_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="cannot be compared"):
        count([1.0], [1.0, 2.0])


def test_the_fault_says_how_many_of_which() -> None:
    plan = LaunchPlan(
        buffers=(Buffer(name="c", dtype=DType.FLOAT32, shape=(8, 8), role=Role.OUTPUT),), launches=()
    )
    fault = wrong_output_fault(OutputCheck(submission="c", baseline="c", allowed=0.0), plan, 3)
    assert fault.verdict is Verdict.WRONG
    assert fault.reason == reason("wrong-while-timed", count=3, size=64, buffer="c")


def wrong(check: OutputCheck, ours: list[int], theirs: list[int], count: int = 0) -> int:
    buffer = Buffer(name="c", dtype=DType.INT32, shape=(len(ours),), role=Role.OUTPUT)
    left, right = (np.array(values, np.int32).tobytes() for values in (ours, theirs))
    return count_wrong(check, OutputPair(buffer, left, right, lambda _: np.array([count])))


def test_elements_of_timed_launches_may_come_in_any_order() -> None:
    check = OutputCheck(submission="c", baseline="c", allowed=0.0, unordered=True)
    assert wrong(check, [1, 2, 2], [2, 1, 2]) == 0
    assert wrong(check, [1, 1, 2], [2, 1, 2]) == 1


@pytest.mark.parametrize(("count", "found"), [(0, 0), (2, 0), (3, 1), (9, 1), (-1, 0)])
def test_the_baseline_counts_the_elements_of_timed_launches(count: int, found: int) -> None:
    check = OutputCheck(submission="c", baseline="c", allowed=0.0, counted_by="n")
    assert wrong(check, [1, 2, 3], [1, 2, 4], count) == found


def test_elements_outside_the_mask_may_be_anything_while_timed() -> None:
    mask = np.packbits([True, False, True]).tobytes()
    check = OutputCheck(submission="c", baseline="c", allowed=0.0, mask=mask)
    assert wrong(check, [1, 2, 3], [1, 9, 3]) == 0
    assert wrong(check, [1, 2, 3], [1, 2, 9]) == 1
