"""The cost model orders the kernels of every lab as an H200's clock does, and the page says how well."""

import pytest

from benchmarks.model_against_device import (
    LEAST_TAU,
    LEAST_TAU_ELSEWHERE,
    Timed,
    agreement_table,
    compared,
    measured,
    miss_table,
    tau,
)
from tools.pages import PAGE, section
from tools.problem_sizes import Sizes

LEAST_KERNELS = 30

GROUPS = [group for group, seconds in measured().items() if len(seconds) >= LEAST_KERNELS]


@pytest.fixture(scope="module")
def groups() -> dict[tuple[str, Sizes], list[Timed]]:
    return compared(measured())


def test_the_model_ranks_one_labs_rungs_as_the_clock_does() -> None:
    group, seconds = next(item for item in measured().items() if item[0][0] == "transpose")
    rungs = {key: value for key, value in seconds.items() if " / rung: " in key}
    (timed,) = compared({group: rungs}).values()
    assert len(timed) >= 6
    assert tau(timed) >= LEAST_TAU


@pytest.mark.model
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group[0]}-{dict(group[1])}")
def test_the_model_ranks_kernels_as_the_clock_does(
    groups: dict[tuple[str, Sizes], list[Timed]], group: tuple[str, Sizes]
) -> None:
    assert tau(groups[group]) >= LEAST_TAU_ELSEWHERE.get(group, LEAST_TAU)


def test_the_fitted_labs_have_enough_kernels_to_rank() -> None:
    assert {"matmul", "transpose", "row-sum"} <= {lab for lab, _ in GROUPS}


@pytest.mark.model
def test_the_page_says_how_well(groups: dict[tuple[str, Sizes], list[Timed]]) -> None:
    page = PAGE.read_text()
    assert section(page, "agreement") == agreement_table(groups)
    assert section(page, "misses") == miss_table(groups)
