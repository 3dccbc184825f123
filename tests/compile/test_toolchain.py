"""Toolchain versions and warm-up."""

from grader.compile import toolchain, warm_up
from grader.languages import installed


def test_every_compiler_tells_its_version() -> None:
    versions = toolchain()
    assert list(versions) == ["nvrtc", "nvjitlink", "nvvm", "numba", "numba-cuda"]
    assert all(version[0].isdigit() for version in versions.values())


def test_warming_up_needs_no_gpu() -> None:
    warm_up(installed().values())
