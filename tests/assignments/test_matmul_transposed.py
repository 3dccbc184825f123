"""A matrix times its transpose: the accepted results, and the bank conflicts that its handout describes."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from grader.compile import build
from grader.engines.emulator.engine import EmulatorEngine
from grader.grading.cases import prepare
from grader.grading.rungs import build_request, rung_files, submission_of
from grader.labs.geometry import launch_shape
from grader.model.devices import TESLA_T4
from grader.model.run import AccessSite, LaunchJob, RunOptions
from grader.model.submission import Language
from tests.assignments.float32_sums import (
    LABS,
    ORDERS,
    Float32,
    case_of,
    half_precision,
    share_of_tolerance,
)

LAB = LABS["matmul-transposed"]
KERNEL = "matmul_transposed"
DISTRIBUTIONS = sorted({case.inputs for case in LAB.manifest.cases})


def shared_sites(rung_name: str, language: Language, tile: int) -> list[AccessSite]:
    """Return the lines of a rung that access shared memory, with square tiles of side ``tile``."""
    rung = LAB.manifest.rung(rung_name)
    submission = submission_of(LAB, rung_files(LAB, rung, language), language, rung_name)
    request = replace(build_request(LAB, submission, TESLA_T4.arch), macros={"TILE": tile})
    module = build(request).module
    assert module is not None
    case = prepare(LAB, case_of(LAB, "normal", m=64, k=32), 1)
    shape = launch_shape(LAB.manifest.kernel(KERNEL).launch, case.inputs.case.sizes | {"TILE": tile})
    plan = LAB.plan(LAB.manifest.kernel(KERNEL).spec, case.inputs.case, shape)
    job = LaunchJob(module=module, plan=plan, inputs={"a": case.inputs.arrays["a"].tobytes()})
    result = EmulatorEngine(TESLA_T4).run(job, RunOptions())
    assert result.fault is None, result.fault
    return [site for site in result.counters[0].sites if site.space == "shared"]


def passes(sites: list[AccessSite], *, store: bool) -> float:
    """Return the number of passes that the worst line's requests need."""
    return max(site.transactions / site.requests for site in sites if site.store is store)


@pytest.mark.parametrize("language", Language)
def test_a_column_of_32_takes_32_passes_to_read_and_padded_one(language: Language) -> None:
    assert passes(shared_sites("shared_conflict", language, 32), store=True) == 1
    # The line also reads one element of the other tile, in one pass.
    assert passes(shared_sites("shared_conflict", language, 32), store=False) == (32 + 1) / 2
    padded = shared_sites("shared_padded", language, 32)
    assert passes(padded, store=True) == passes(padded, store=False) == 1


@pytest.mark.parametrize("language", Language)
def test_a_column_of_16_takes_8_passes_to_read_2_padded_to_store(language: Language) -> None:
    assert passes(shared_sites("shared_conflict", language, 16), store=True) == 1
    assert passes(shared_sites("shared_conflict", language, 16), store=False) == (8 + 1) / 2
    padded = shared_sites("shared_padded", language, 16)
    assert passes(padded, store=False) == 1
    assert passes(padded, store=True) == 2


def terms_of(a: Float32) -> Float32:
    with np.errstate(under="ignore"):
        terms: Float32 = a[:, np.newaxis, :] * a[np.newaxis, :, :]
    return terms


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("order", ORDERS)
def test_sums_in_any_order_pass_with_room_to_spare(
    order: Callable[[Float32], Float32], distribution: str
) -> None:
    for m, k in [(1, 1), (5, 2), (40, 257), (20, 2000)]:
        case = case_of(LAB, distribution, m=m, k=k)
        inputs = LAB.inputs(case, np.random.default_rng(k))
        assert share_of_tolerance(LAB, case, inputs, order(terms_of(inputs["a"]))) < 0.5


# If all numbers are equal, they are short enough for tf32 to hold them exactly.
@pytest.mark.parametrize("distribution", [name for name in DISTRIBUTIONS if name != "equal"])
def test_inputs_in_tf32_are_wrong(distribution: str) -> None:
    case = case_of(LAB, distribution, m=30, k=64)
    inputs = LAB.inputs(case, np.random.default_rng(3))
    rounded = half_precision(inputs["a"]).astype(np.float64)
    assert share_of_tolerance(LAB, case, inputs, (rounded @ rounded.T).astype(np.float32)) > 1


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("forgotten", [0, -1])
def test_a_forgotten_term_is_wrong(distribution: str, forgotten: int) -> None:
    case = case_of(LAB, distribution, m=33, k=129)
    inputs = LAB.inputs(case, np.random.default_rng(4))
    a = np.delete(inputs["a"], forgotten, axis=1).astype(np.float64)
    assert share_of_tolerance(LAB, case, inputs, (a @ a.T).astype(np.float32)) > 1


def test_rows_differ_by_orders_of_magnitude_with_finite_products() -> None:
    case = case_of(LAB, "rows-apart", m=200, k=50)
    a = LAB.inputs(case, np.random.default_rng(5))["a"]
    lengths = np.linalg.norm(a.astype(np.float64), axis=1)
    assert lengths.max() / lengths.min() > 1e9
    products = np.abs(a.astype(np.float64) @ a.T.astype(np.float64))
    assert products.max() < float(np.finfo(np.float32).max)
    assert np.diag(products).min() > 1e3 * float(np.finfo(np.float32).smallest_normal)


def test_an_element_taken_from_the_row_beside_it_is_wrong() -> None:
    case = case_of(LAB, "rows-apart", m=30, k=20)
    inputs = LAB.inputs(case, np.random.default_rng(6))
    value = LAB.oracle(case, inputs)["c"].value
    assert share_of_tolerance(LAB, case, inputs, np.roll(value, 1, axis=1).astype(np.float32)) > 1e6
