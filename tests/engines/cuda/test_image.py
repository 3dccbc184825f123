"""Which binary of a unit a device is given."""

import pytest

from grader.engines.cuda.image import loadable
from grader.errors import UserError
from grader.model.module import DeviceUnit

PTX = ".version 8.8\n.target sm_75\n.address_size 64\n"


def unit(*archs: str, ptx: str = PTX) -> DeviceUnit:
    return DeviceUnit(name="k.cu", ptx=ptx, cubins={arch: arch.encode() for arch in archs})


@pytest.mark.parametrize(
    ("archs", "device", "chosen"),
    [
        (("sm_75", "sm_90"), "sm_90", b"sm_90"),
        (("sm_80", "sm_86"), "sm_89", b"sm_86"),
        (("sm_80", "sm_89"), "sm_86", b"sm_80"),
        (("sm_100", "sm_120"), "sm_120", b"sm_120"),
    ],
)
def test_the_nearest_cubin_of_the_same_generation_is_taken(
    archs: tuple[str, ...], device: str, chosen: bytes
) -> None:
    assert loadable(unit(*archs), device) == chosen


@pytest.mark.parametrize("archs", [(), ("sm_75",), ("sm_89",)])
def test_without_a_fitting_cubin_the_driver_gets_the_ptx_as_a_c_string(archs: tuple[str, ...]) -> None:
    assert loadable(unit(*archs), "sm_90") == PTX.encode() + b"\0"


def test_a_device_that_is_too_old_for_everything_is_told_what_to_build() -> None:
    with pytest.raises(UserError) as caught:
        loadable(unit("sm_75", "sm_90"), "sm_60")
    assert "built for sm_75, sm_90" in caught.value.problem
    assert "sm_60" in str(caught.value.hint)
