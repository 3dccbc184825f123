"""The device presets: found by name, and consistent in themselves."""

import pytest

from grader.errors import UserError
from grader.model.device import Device
from grader.model.devices import DEVICES, H200, TESLA_T4, by_name


@pytest.mark.parametrize("name", ["t4", "T4", "Tesla T4", " tesla t4 "])
def test_a_preset_is_found_by_its_short_and_its_full_name(name: str) -> None:
    assert by_name(name) is TESLA_T4


def test_an_unknown_device_is_answered_with_those_there_are() -> None:
    with pytest.raises(UserError) as caught:
        by_name("voodoo")
    assert "'voodoo'" in caught.value.problem
    assert all(name in str(caught.value.hint) for name in DEVICES)


@pytest.mark.parametrize("device", DEVICES.values(), ids=list(DEVICES))
def test_the_limits_of_a_preset_fit_together(device: Device) -> None:
    assert device.max_warps_per_sm * device.warp_size == device.max_threads_per_sm
    assert device.max_threads_per_block <= device.max_threads_per_sm
    assert device.shared_bytes_per_block + device.reserved_shared_per_block <= device.shared_bytes_per_sm
    assert device.dram_bandwidth <= device.l2_bandwidth


@pytest.mark.parametrize(
    ("name", "teraflops"),
    [("g80", 0.3456), ("p100", 10.6), ("t4", 8.1), ("a100", 19.5), ("rtx-4090", 82.6), ("h200", 66.9)],
)
def test_lanes_and_clocks_give_the_data_sheets_peak_rate(name: str, teraflops: float) -> None:
    device = by_name(name)
    peak = 2 * device.sm_count * device.fp32_lanes_per_sm * device.clock
    assert peak == pytest.approx(teraflops * 1e12, rel=0.01)


def test_only_devices_with_double_precision_have_lanes_for_it() -> None:
    assert by_name("g80").fp64_lanes_per_sm == 0
    assert H200.fp64_lanes_per_sm * 2 == H200.fp32_lanes_per_sm
