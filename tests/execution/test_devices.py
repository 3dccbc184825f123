"""The devices of a host as the driver's tool lists them."""

from collections.abc import Sequence

import pytest

from grader.errors import UserError
from grader.execution.device_health import DeviceHealth
from grader.execution.devices import CPU, gpu_devices, local_devices
from grader.model.needs import ComputeDevice, Needs

QUERIED = """\
GPU-11111111-aaaa, NVIDIA H100 80GB HBM3, 81559, 9.0
GPU-22222222-bbbb, NVIDIA A100-SXM4-40GB, 40960, 8.0
"""
LISTED = """\
GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-11111111-aaaa)
  MIG 1g.10gb     Device  0: (UUID: MIG-33333333-cccc)
  MIG 3g.40gb     Device  1: (UUID: MIG-44444444-dddd)
GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-22222222-bbbb)
"""


def divided(arguments: Sequence[str]) -> str:
    """A host with a divided first GPU."""
    return LISTED if "-L" in arguments else QUERIED


def none(_: Sequence[str]) -> str:
    """A host without a driver."""
    return ""


def test_a_divided_gpu_is_there_as_its_instances() -> None:
    found = {device.id: device for device in gpu_devices(divided)}
    assert list(found) == ["MIG-33333333-cccc", "MIG-44444444-dddd", "GPU-22222222-bbbb"]
    instance = found["MIG-44444444-dddd"]
    assert (instance.memory_mib, instance.capability) == (40960, (9, 0))
    assert "H100" in instance.model
    assert "3g.40gb" in instance.model


def test_gpus_are_taken_before_the_emulator() -> None:
    assert {device.engine for device in local_devices("Tesla T4", "auto", (), divided)} == {"cuda"}
    assert [device.id for device in local_devices("Tesla T4", "auto", (), none)] == [CPU]
    assert [device.id for device in local_devices("Tesla T4", "emulator", (), divided)] == [CPU]


@pytest.mark.parametrize(
    ("chosen", "ids"),
    [
        (("GPU-2222",), ["GPU-22222222-bbbb"]),
        (("a100", "MIG-3"), ["GPU-22222222-bbbb", "MIG-33333333-cccc"]),
        (("cpu",), [CPU]),
        (("H100",), ["MIG-33333333-cccc", "MIG-44444444-dddd"]),
    ],
    ids=str,
)
def test_devices_are_chosen_by_id_or_model(chosen: tuple[str, ...], ids: list[str]) -> None:
    assert [device.id for device in local_devices("Tesla T4", "auto", chosen, divided)] == ids


def test_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(UserError, match="V100"):
        local_devices("Tesla T4", "auto", ("V100",), divided)
    with pytest.raises(UserError, match="no GPU"):
        local_devices("Tesla T4", "cuda", (), none)


def test_needs_are_met_by_enough_of_everything() -> None:
    h100 = ComputeDevice(id="GPU-1", engine="cuda", model="NVIDIA H100", memory_mib=81559, capability=(9, 0))
    met = [Needs(), Needs(device="h100"), Needs(engine="cuda", memory_mib=81559), Needs(capability=(8, 6))]
    assert all(needs.met_by(h100) for needs in met)
    unmet = [
        Needs(device="H200"),
        Needs(engine="emulator"),
        Needs(memory_mib=81560),
        Needs(capability=(9, 1)),
    ]
    assert not any(needs.met_by(h100) for needs in unmet)


def test_a_device_is_set_aside_after_losses_in_a_row() -> None:
    health, device = DeviceHealth(), ComputeDevice(id="GPU-1", engine="cuda")
    health.failed(device, "one")
    health.worked(device)
    health.failed(device, "two")
    assert health.usable(device)
    health.failed(device, "three")
    assert health.set_aside == {"GPU-1": "three"}
    assert not health.usable(device)


def test_a_device_that_stands_for_many_is_never_set_aside() -> None:
    health, pool = DeviceHealth(), ComputeDevice(id="", engine="cuda")
    for _ in range(5):
        health.failed(pool, "lost")
    assert health.usable(pool)
