"""An output is right if each element is within the lab's error bound of the oracle's answer."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.judge.agreement import disagreement
from grader.judge.outputs import arrays_of
from grader.judge.timed_outputs import needs_samples, output_checks
from grader.judge.wrong_output import mismatch
from grader.labs.expected import Expected
from grader.model.element_types import VECTORS, DType
from grader.model.plan import Buffer, LaunchPlan, Role, poison_byte
from grader.model.reason import Param, Reason, reason
from tools.messages import english

U = 2.0**-24


def f32(values: list[Any]) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def i32(values: list[int]) -> NDArray[np.int32]:
    return np.array(values, np.int32)


def judge(actual: NDArray[Any], value: Any, scale: Any = 0.0, factor: float = 1.0) -> Reason | None:
    buffer = Buffer(name="y", dtype=DType(actual.dtype.name), shape=actual.shape, role=Role.OUTPUT)
    plan = LaunchPlan(buffers=(buffer,), launches=())
    return mismatch({"y": actual.tobytes()}, plan, {"y": Expected(np.asarray(value), scale)}, factor)


def params(wrong: Reason | None) -> Mapping[str, Param]:
    assert wrong is not None
    return wrong.params


def never_written(count: int, size: int, first: str) -> Reason:
    return reason("output-never-written", count=count, size=size, buffer="y", element=first)


def test_equal_is_right() -> None:
    assert judge(f32([1, 2, 3]), [1.0, 2.0, 3.0]) is None


def test_the_bound_is_the_border() -> None:
    inside, outside = f32([1 + 4 * U]), f32([1 + 6 * U])
    assert judge(inside, [1.0], scale=4.0) is None
    assert judge(outside, [1.0], scale=4.0) is not None


def test_the_scale_may_differ_by_element() -> None:
    actual = f32([1 + 4 * U, 1 + 4 * U])
    assert params(judge(actual, [1.0, 1.0], scale=np.array([4.0, 1.0])))["element"] == "y[1]"


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nothing_special_stands_in_for_a_number(bad: float) -> None:
    assert judge(f32([bad]), [1.0], scale=1e30) is not None


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_special_values_are_right_where_they_are_expected(special: float) -> None:
    assert judge(f32([special]), [special]) is None
    assert judge(f32([0.0]), [special], scale=1e30) is not None


def test_an_infinite_scale_excuses_nothing() -> None:
    assert judge(f32([5.0]), [np.inf], scale=np.inf) is not None


def test_integers_are_exact() -> None:
    assert judge(i32([2**31 - 1]), [2**31 - 1]) is None
    assert judge(i32([2**31 - 2]), [2**31 - 1], scale=1e9) is not None


def test_unwritten_elements_are_called_so() -> None:
    actual = f32([1, 2, 3, 4])
    actual.view(np.uint8)[8:] = 0xFF
    assert judge(actual, [1.0, 2.0, 3.0, 4.0]) == never_written(2, 4, "y[2]")


@pytest.mark.parametrize("dtype", [dtype for dtype in DType if dtype.numpy.kind in "iu"])
def test_the_fill_value_of_integers_is_no_likely_answer(dtype: DType) -> None:
    buffer = Buffer(name="y", dtype=dtype, shape=(4,), role=Role.OUTPUT)
    unwritten = np.frombuffer(bytes([poison_byte(dtype)]) * buffer.nbytes, dtype.numpy)
    likely = np.array([-1, 0, 1, 2**31 - 1]).astype(dtype.numpy)
    assert judge(unwritten, likely) == never_written(4, 4, "y[0]")


def test_an_unwritten_element_is_wrong_even_where_nan_is_right() -> None:
    computed, unwritten = f32([np.nan, np.nan]), f32([np.nan, np.nan])
    unwritten.view(np.uint8)[4:] = 0xFF
    assert judge(computed, [np.nan, np.nan]) is None
    assert judge(unwritten, [np.nan, np.nan]) == never_written(1, 2, "y[1]")


def test_the_first_wrong_element_is_shown_with_its_place() -> None:
    wrong = judge(f32([[1, 2], [3, 9]]), [[1.0, 2.0], [3.0, 4.0]], scale=1.0)
    assert wrong == reason(
        "output-beyond-tolerance",
        count=1,
        size=4,
        buffer="y",
        element="y[1][1]",
        got=9,
        want=4,
        allowed=6e-8,
    )
    assert "y[1][1] is 9, expected 4" in english(wrong)


def test_what_was_left_out_is_counted_among_the_wrong() -> None:
    actual = f32([1, 9, 0, 0])
    actual.view(np.uint8)[12:] = 0xFF
    wrong = judge(actual, [1.0, 2.0, 3.0, 4.0])
    assert wrong is not None
    assert wrong.code == "output-partly-written"
    assert (wrong.params["count"], wrong.params["unwritten"]) == (3, 1)


def test_values_that_are_no_numbers_are_shown_as_text() -> None:
    assert params(judge(f32([np.nan]), [np.inf]))["got"] == "nan"
    assert params(judge(f32([np.nan]), [np.inf]))["want"] == "inf"


def test_a_short_answer_is_wrong() -> None:
    plan = LaunchPlan(
        buffers=(Buffer(name="y", dtype=DType.INT32, shape=(2,), role=Role.OUTPUT),), launches=()
    )
    expected = {"y": Expected(np.array([1, 2]))}
    for data in (b"\1\0\0\0", b""):
        short = reason("output-incomplete", buffer="y", count=len(data), expected=8)
        assert mismatch({"y": data}, plan, expected, 0.0) == short
    assert mismatch({}, plan, expected, 0.0) is not None


def test_what_came_back_short_or_not_at_all_is_no_array() -> None:
    names = ("whole", "short", "missing")
    buffers = tuple(Buffer(name=name, dtype=DType.FLOAT32, shape=(4,), role=Role.OUTPUT) for name in names)
    plan = LaunchPlan(buffers=buffers, launches=())
    assert set(arrays_of({"whole": bytes(16), "short": bytes(15), "unasked": bytes(16)}, plan)) == {"whole"}


def test_other_kernels_outputs_need_no_answer() -> None:
    buffer = Buffer(name="y", dtype=DType.FLOAT32, shape=(1,), role=Role.INOUT)
    plan = LaunchPlan(buffers=(buffer,), launches=())
    answers = {"x": Expected(f32([7])), "y": Expected(f32([1]))}
    assert mismatch({"y": f32([1]).tobytes()}, plan, answers, 0.0) is None
    assert mismatch({"y": f32([2]).tobytes()}, plan, answers, 0.0) is not None


def test_an_oracle_with_unknown_outputs_is_a_lab_fault() -> None:
    buffer = Buffer(name="y", dtype=DType.FLOAT32, shape=(1,), role=Role.OUTPUT)
    plan = LaunchPlan(buffers=(buffer,), launches=())
    with pytest.raises(KeyError):
        mismatch({"y": f32([1]).tobytes()}, plan, {"z": Expected(f32([1]))}, 0.0)


def test_a_kernel_answers_for_the_outputs_that_it_writes() -> None:
    buffer = Buffer(name="whole", dtype=DType.INT32, shape=(1,), role=Role.OUTPUT)
    plan = LaunchPlan(buffers=(buffer,), launches=())
    expected = {"whole": Expected(i32([7])), "real": Expected(f32([0.5]))}
    assert mismatch({"whole": i32([7]).tobytes()}, plan, expected, 0.0) is None
    assert mismatch({"whole": i32([8]).tobytes()}, plan, expected, 0.0) is not None
    with pytest.raises(KeyError):
        mismatch({"whole": i32([7]).tobytes()}, plan, {"real": Expected(f32([0.5]))}, 0.0)


def test_large_integers_are_shown_to_the_last_digit() -> None:
    wrong = params(judge(i32([2**31 - 1]), i32([-(2**31)])))
    assert (wrong["got"], wrong["want"]) == (2147483647, -2147483648)


def test_kernels_that_write_different_outputs_do_not_disagree() -> None:
    expected = {"whole": Expected(i32([7])), "real": Expected(f32([0.5]))}
    outputs: dict[str, dict[str, NDArray[Any]]] = {
        "first": {"whole": i32([7])},
        "second": {"real": f32([0.5])},
    }
    assert disagreement("small", outputs, expected, 0.0) is None
    outputs["third"] = {"whole": i32([8])}
    assert disagreement("small", outputs, expected, 0.0) == reason(
        "kernels-disagree", case="small", first="first", second="third", buffer="whole"
    )


def plan_writing(*outputs: tuple[str, DType, int]) -> LaunchPlan:
    buffers = [
        Buffer(name=name, dtype=dtype, shape=(size,), role=Role.OUTPUT) for name, dtype, size in outputs
    ]
    return LaunchPlan(
        buffers=(*buffers, Buffer(name="work", dtype=DType.INT32, shape=(1,), role=Role.SCRATCH)), launches=()
    )


def test_timed_outputs_may_differ_by_the_widest_tolerance() -> None:
    expected = {"y": Expected(np.zeros(3), scale=np.array([1.0, 8.0, 2.0]))}
    plan = plan_writing(("y", DType.FLOAT32, 3))
    (check,) = output_checks(plan, plan, expected, factor=4.0)
    assert (check.submission, check.baseline) == ("y", "y")
    assert check.allowed == 3 * 4 * 8 * U


def test_timed_integers_must_be_equal() -> None:
    plan = plan_writing(("y", DType.INT32, 3))
    (check,) = output_checks(plan, plan, {"y": Expected(np.zeros(3))}, factor=4.0)
    assert check.allowed == 0


def test_outputs_of_other_names_belong_together_by_their_order() -> None:
    ours, theirs = plan_writing(("fast", DType.FLOAT32, 3)), plan_writing(("slow", DType.FLOAT32, 3))
    expected = {name: Expected(np.zeros(3), scale=scale) for name, scale in (("fast", 2.0), ("slow", 1.0))}
    (check,) = output_checks(ours, theirs, expected, factor=1.0)
    assert (check.submission, check.baseline, check.allowed) == ("fast", "slow", 6 * U)


@pytest.mark.parametrize("theirs", [(), (("y", DType.FLOAT32, 4),), (("y", DType.INT32, 3),)])
def test_kernels_with_different_outputs_are_not_compared(
    theirs: tuple[tuple[str, DType, int], ...],
) -> None:
    ours = plan_writing(("y", DType.FLOAT32, 3))
    with pytest.raises(ValueError, match="different outputs"):
        output_checks(ours, plan_writing(*theirs), {"y": Expected(np.zeros(3))}, factor=1.0)


def test_what_was_computed_from_unwritten_memory_is_not_called_unwritten() -> None:
    poison = np.full(4, np.nan, np.float32)
    poison.view(np.uint8)[:] = poison_byte(DType.FLOAT32)
    buffer = Buffer(name="y", dtype=DType.FLOAT32, shape=(4,), role=Role.OUTPUT)
    plan = LaunchPlan(buffers=(buffer,), launches=())
    expected = {"y": Expected(np.ones(4))}
    outputs = {"y": (poison + 1).tobytes()}
    assert mismatch(outputs, plan, expected, 1.0, {"y"}) == reason(
        "output-read-first", count=4, size=4, buffer="y", element="y[0]"
    )
    assert mismatch({"y": poison.tobytes()}, plan, expected, 1.0, {"z"}) == never_written(4, 4, "y[0]")


def vectors(actual: NDArray[Any], answer: Expected) -> Reason | None:
    buffer = Buffer(name="y", dtype=VECTORS["float3"], shape=actual.shape[:-1], role=Role.OUTPUT)
    return mismatch(
        {"y": actual.tobytes()}, LaunchPlan(buffers=(buffer,), launches=()), {"y": answer}, factor=1.0
    )


def plain(actual: NDArray[Any], answer: Expected) -> Reason | None:
    buffer = Buffer(name="y", dtype=DType(actual.dtype.name), shape=actual.shape, role=Role.OUTPUT)
    return mismatch(
        {"y": actual.tobytes()}, LaunchPlan(buffers=(buffer,), launches=()), {"y": answer}, factor=1.0
    )


def test_a_wrong_component_of_a_vector_is_one_wrong_element() -> None:
    value = np.arange(12.0).reshape(2, 2, 3)
    actual = value.astype(np.float32)
    assert vectors(actual, Expected(value)) is None
    actual[1, 0, 1:] += 1
    assert vectors(actual, Expected(value)) == reason(
        "output-wrong", count=1, size=4, buffer="y", element="y[1][0].y", got=8, want=7
    )


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (Expected(np.array([10, 20]), atol=1), [11, 19]),
        (Expected(np.array([10.0, 20.0]), atol=np.array([0.0, 2.0])), [10, 22]),
        (Expected(np.array([10.0, 20.0]), rtol=0.1), [11, 18]),
        (Expected(np.array([1.0, 2.0]), ulp=1), [1 + 2 * U, 2 + 4 * U]),
        (Expected(np.array([10.0, 20.0]), mask=np.array([True, False])), [10, 7]),
        (Expected(np.array([10.0]), length=1), [10, 7]),
        (Expected(np.array([10.0, 20.0]), unordered=True), [20, 10]),
        (Expected(np.array([10.0, 20.0]), alternatives=(np.array([5.0, 6.0]),)), [5, 6]),
    ],
)
def test_what_a_lab_allows_is_right_and_nothing_else(answer: Expected, right: list[float]) -> None:
    dtype = np.int32 if np.asarray(answer.value).dtype.kind == "i" else np.float32
    assert plain(np.array(right, dtype), answer) is None
    assert plain(np.array(right, dtype) + dtype(9), answer) is not None


def test_alternatives_are_whole_outputs() -> None:
    answer = Expected(np.array([1.0, 2.0]), alternatives=(np.array([5.0, 6.0]),))
    assert plain(f32([1, 6]), answer) is not None


def test_elements_in_any_order_count_as_often_as_they_are_expected() -> None:
    answer = Expected(np.array([1.0, 1.0, 2.0]), unordered=True)
    assert plain(f32([2, 1, 1]), answer) is None
    assert params(plain(f32([2, 2, 1]), answer)) == {
        "count": 1,
        "size": 3,
        "buffer": "y",
        "element": "y[0]",
        "got": 2,
        "want": 1,
    }


def test_a_statistical_bound_holds_as_often_as_it_says() -> None:
    answer = Expected.statistical(np.zeros(20_000), 1.0, false_alarm=0.01)
    outside = np.abs(np.random.default_rng(1).standard_normal(20_000)) > answer.allowed(DType.FLOAT64, 0.0)
    assert outside.mean() == pytest.approx(0.01, rel=0.2)
    wrong = plain(f32([9.0]), Expected.statistical(np.zeros(1), 1.0))
    assert wrong is not None
    assert wrong.code == "output-improbable"


def test_a_small_number_with_the_value_of_the_poison_may_have_been_written() -> None:
    poison = poison_byte(DType.UINT8)
    value = np.arange(8)
    one, all_of_them = value.astype(np.uint8), np.full(8, poison, np.uint8)
    one[3] = poison
    assert plain(one, Expected(value)) is not None
    assert params(plain(one, Expected(value)))["got"] == poison
    assert plain(all_of_them, Expected(value)) == never_written(8, 8, "y[0]")


@pytest.mark.parametrize(
    "answer",
    [
        Expected(np.ones(2), alternatives=(np.zeros(2),)),
        Expected(np.ones(1), length=1),
        Expected(np.ones(1), length=1, counted_by="nothing"),
    ],
)
def test_an_answer_that_the_baseline_cannot_decide_needs_samples(answer: Expected) -> None:
    plan = LaunchPlan(
        buffers=(Buffer(name="y", dtype=DType.FLOAT32, shape=(2,), role=Role.OUTPUT),), launches=()
    )
    assert output_checks(plan, plan, {"y": answer}, 1.0) == ()
    assert needs_samples(plan, {"y": answer})
    assert not needs_samples(plan, {"y": Expected(np.ones(2))})
    assert needs_samples(plan, {"z": Expected(np.ones(2))})
