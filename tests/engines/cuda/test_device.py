"""The description of a real GPU, and the errors raised when CuPy is missing."""

import sys
from dataclasses import fields

import pytest

from grader.engines.cuda.device import device_from
from grader.engines.cuda.engine import CudaEngine
from grader.errors import UserError
from grader.model.devices import H200

ATTRIBUTES = {
    "MultiProcessorCount": 132,
    "ClockRate": 1_980_000,
    "MemoryClockRate": 3_201_000,
    "GlobalMemoryBusWidth": 6016,
    "L2CacheSize": 62_914_560,
    "MaxThreadsPerMultiProcessor": 2048,
    "MaxBlocksPerMultiprocessor": 32,
    "MaxThreadsPerBlock": 1024,
    "MaxRegistersPerMultiprocessor": 65536,
    "MaxSharedMemoryPerMultiprocessor": 233_472,
    "MaxSharedMemoryPerBlockOptin": 227 * 1024,
    "ReservedSharedMemoryPerBlock": 1024,
    "WarpSize": 32,
}

RATES = {"dram_bandwidth", "l2_bandwidth"}


def test_a_real_h200_is_the_preset_of_that_name() -> None:
    found = device_from("H200", (9, 0), ATTRIBUTES.__getitem__)
    for field in fields(H200):
        if field.name not in RATES:
            assert getattr(found, field.name) == getattr(H200, field.name), field.name


def test_its_rates_are_near_the_data_sheets() -> None:
    found = device_from("H200", (9, 0), ATTRIBUTES.__getitem__)
    assert found.dram_bandwidth == pytest.approx(H200.dram_bandwidth, rel=0.005)
    assert found.l2_bandwidth == pytest.approx(H200.l2_bandwidth, rel=0.05)


def test_an_unlisted_capability_has_traits_of_the_next_older() -> None:
    assert device_from("RTX 4090", (8, 9), ATTRIBUTES.__getitem__).fp64_lanes_per_sm == 2
    assert device_from("A30", (8, 0), ATTRIBUTES.__getitem__).fp64_lanes_per_sm == 32
    assert device_from("A future GPU", (13, 0), ATTRIBUTES.__getitem__).arch == "sm_130"


def test_a_gpu_before_pascal_is_refused() -> None:
    with pytest.raises(ValueError, match=r"compute capability 5\.2.*6\.0"):
        device_from("GTX 980", (5, 2), ATTRIBUTES.__getitem__)


def test_without_cupy_the_hint_is_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(UserError) as caught:
        CudaEngine()
    assert "needs CuPy" in caught.value.problem
    assert 'pip install --constraint constraints.txt ".[gpu-cuda13]"' in str(caught.value.hint)
