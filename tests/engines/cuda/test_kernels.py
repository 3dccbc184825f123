"""Which image of a unit a device loads, and which kernels need a cooperative launch."""

import pytest

from grader.compile.toolkit_headers import toolkit_options
from grader.engines.cooperative import waits_for_grid
from grader.engines.cuda.kernels import loadable
from grader.errors import UserError
from grader.model.module import DeviceUnit
from tests.engines.emulator.surface_kernels import GRID_SYNC
from tools.emulator.compiling import ptx_of

PTX = ".version 8.8\n.target sm_75\n.address_size 64\n"

TWO_KERNELS = GRID_SYNC + 'extern "C" __global__ void plain(int* x) { x[threadIdx.x] = 1; }'


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
def test_the_nearest_cubin_of_the_same_major_version_is_loaded(
    archs: tuple[str, ...], device: str, chosen: bytes
) -> None:
    assert loadable(unit(*archs), device) == chosen


@pytest.mark.parametrize("archs", [(), ("sm_75",), ("sm_89",)])
def test_without_a_fitting_cubin_the_ptx_is_loaded_as_a_c_string(archs: tuple[str, ...]) -> None:
    assert loadable(unit(*archs), "sm_90") == PTX.encode() + b"\0"


def test_a_device_too_old_for_every_image_names_what_to_build() -> None:
    with pytest.raises(UserError) as caught:
        loadable(unit("sm_75", "sm_90"), "sm_60")
    assert "built for sm_75, sm_90" in caught.value.problem
    assert "sm_60" in str(caught.value.hint)


def test_only_a_kernel_with_grid_sync_is_cooperative() -> None:
    ptx = ptx_of(TWO_KERNELS, *toolkit_options())
    assert waits_for_grid(ptx, "run")
    assert not waits_for_grid(ptx, "plain")
    assert not waits_for_grid(ptx, "missing")
