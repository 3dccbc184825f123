"""Toolchain versions and warm-up."""

import subprocess
import sys

from grader.compile import toolchain, warm_up
from grader.languages import installed


def test_every_compiler_tells_its_version() -> None:
    versions = toolchain()
    assert list(versions) == ["nvrtc", "nvjitlink", "nvvm", "numba", "numba-cuda"]
    assert all(version[0].isdigit() for version in versions.values())


def test_warming_up_needs_no_gpu() -> None:
    warm_up(installed().values())


def test_compilers_load_no_messages() -> None:
    """A worker starts without the catalogue and the translations: it says codes, and renders nothing."""
    modules = "assembly, cuda_c, kernel_matching, numba_kernels, toolchain, translation"
    script = f"import sys; from grader.compile import {modules}; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "grader.compile.numba_kernels" in loaded
    assert [name for name in loaded if name.partition(".")[0] == "babel" or "grader.messages" in name] == []
