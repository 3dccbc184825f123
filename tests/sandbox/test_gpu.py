"""A run worker gets exactly one GPU: the chosen one."""

from pathlib import Path

import pytest

from grader.errors import UserError
from grader.sandbox import gpu
from grader.sandbox.gpu import VISIBLE_VARIABLE, chosen_gpu


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    for address, uuid, minor in (("0000:18:00.0", "GPU-aa", 3), ("0000:2a:00.0", "GPU-bb", 0)):
        folder = tmp_path / "gpus" / address
        folder.mkdir(parents=True)
        text = f"Model: \t\t NVIDIA H200\nGPU UUID: \t {uuid}\nDevice Minor: \t {minor}\n"
        (folder / "information").write_text(text)
    return tmp_path / "gpus"


def test_without_a_choice_it_is_the_first_on_the_bus(listed: Path) -> None:
    assert chosen_gpu({}, listed).minor == 3


@pytest.mark.parametrize("choice", ["1", "1,0", "GPU-bb", "GPU-b"])
def test_the_choice_is_by_slot_or_uuid(listed: Path, choice: str) -> None:
    assert chosen_gpu({VISIBLE_VARIABLE: choice}, listed).uuid == "GPU-bb"


@pytest.mark.parametrize("choice", ["2", "GPU-", "MIG-aa", "-1"])
def test_a_choice_that_names_no_single_gpu_is_refused(listed: Path, choice: str) -> None:
    with pytest.raises(UserError, match="GPU-aa, GPU-bb"):
        chosen_gpu({VISIBLE_VARIABLE: choice}, listed)


def test_a_machine_without_a_driver_has_none(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no GPU"):
        chosen_gpu({}, tmp_path / "nothing")


def test_a_gpu_that_no_driver_lists_has_no_uuid(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gpu, "chosen_gpu", lambda: chosen_gpu({}, tmp_path / "nothing"))
    assert gpu.chosen_uuid() == ""


def test_an_instance_of_a_divided_gpu_is_a_device_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VISIBLE_VARIABLE, "MIG-aa,MIG-bb")
    assert gpu.chosen_uuid() == "MIG-aa"


def test_no_other_gpus_node_is_handed_on(listed: Path, tmp_path: Path) -> None:
    devices = tmp_path / "dev"
    devices.mkdir()
    for name in ("nvidia0", "nvidia1", "nvidia3", "nvidiactl", "nvidia-uvm"):
        (devices / name).touch()
    nodes = {node.name for node in chosen_gpu({}, listed).nodes(devices)}
    assert nodes == {"nvidia3", "nvidiactl", "nvidia-uvm"}
