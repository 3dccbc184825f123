"""The cost model orders the kernels of every lab as the clocks of two GPUs do, and the page says how well."""

import pytest

from benchmarks.model_against_device import (
    CALIBRATIONS,
    LEAST_TAU,
    Group,
    Timed,
    agreement_table,
    calibrated,
    compared,
    least_tau,
    least_tau_of_rungs,
    measured,
    miss_table,
    rung_table,
    tau,
)
from tools.pages import PAGE, section

LEAST_KERNELS = 30

GROUPS = [group for group, seconds in measured().items() if len(seconds) >= LEAST_KERNELS]


@pytest.fixture(scope="module")
def groups() -> dict[Group, list[Timed]]:
    return compared(measured())


@pytest.fixture(scope="module")
def rung_groups() -> dict[str, dict[Group, list[Timed]]]:
    return {gpu: compared(calibrated(gpu), device) for gpu, device in CALIBRATIONS.items()}


def test_the_model_ranks_one_labs_rungs_as_the_clock_does() -> None:
    group, seconds = next(item for item in measured().items() if item[0][0] == "transpose")
    rungs = {key: value for key, value in seconds.items() if " / rung: " in key}
    (timed,) = compared({group: rungs}).values()
    assert len(timed) >= 6
    assert tau(timed) >= LEAST_TAU


@pytest.mark.model
def test_the_model_ranks_every_labs_rungs_on_both_gpus(
    rung_groups: dict[str, dict[Group, list[Timed]]],
) -> None:
    worse = {
        (gpu, group[0]): tau(timed)
        for gpu, groups in rung_groups.items()
        for group, timed in groups.items()
        if tau(timed) < least_tau_of_rungs(gpu, group)
    }
    assert worse == {}


def test_both_calibrations_have_every_lab_with_a_ladder() -> None:
    labs = {gpu: {lab for lab, _ in calibrated(gpu)} for gpu in CALIBRATIONS}
    assert labs["h100"] == labs["h200"]
    assert len(labs["h100"]) >= 16


@pytest.mark.model
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group[0]}-{dict(group[1])}")
def test_the_model_ranks_kernels_as_the_clock_does(groups: dict[Group, list[Timed]], group: Group) -> None:
    assert tau(groups[group]) >= least_tau(group)


def test_the_fitted_labs_have_enough_kernels_to_rank() -> None:
    assert {"matmul", "transpose", "row-sum"} <= {lab for lab, _ in GROUPS}


@pytest.mark.model
def test_the_page_says_how_well(
    groups: dict[Group, list[Timed]], rung_groups: dict[str, dict[Group, list[Timed]]]
) -> None:
    page = PAGE.read_text()
    assert section(page, "agreement") == agreement_table(groups)
    assert section(page, "rung-ranking") == rung_table(rung_groups)
    assert section(page, "misses") == miss_table(groups)
