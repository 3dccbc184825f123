"""Numba's shared arrays have the names of the student's variables."""

import re

import pytest

from grader.compile.nvrtc import PTX_ARCH
from tests.compile.examples import CUDA_KERNEL, NUMBA_KERNEL, build_cuda, build_numba, ptx

SHARED = re.compile(r"\.shared \.align \d+ \.b8 _cudapy_smem_\d+(?:_(\w+))?\[")


def names(text: str, **beside: str) -> set[str]:
    """Return the names of the shared arrays in the compiled code; an array without one is ''."""
    built = build_numba(text, beside={f"{name}.py": content for name, content in beside.items()})
    return set(SHARED.findall(ptx(built)))


def using(declaration: str, array: str = "tile") -> str:
    return NUMBA_KERNEL.replace(
        "total = 0.0",
        f"{declaration}; {array}[row % 32] = row; cuda.syncthreads(); total = {array}[cols % 32]",
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (using("tile = cuda.shared.array(32, float32)"), "tile"),
        (using("tile = cuda.shared.array(shape=32, dtype=float32)"), "tile"),
        (using("tile = cuda.shared.array(\n            32,\n            float32,\n        )"), "tile"),
        (using("sums_2 = cuda.shared.array((32,), 'float32')", "sums_2"), "sums_2"),
        ("import numba.cuda as nc\n" + using("tile = nc.shared.array(32, nc.float32)"), "tile"),
        (using("ряд = cuda.shared.array(32, float32)", "ряд"), ""),
        (using("tile, x = cuda.shared.array(32, float32), 3"), ""),
    ],
)
def test_a_shared_array_has_the_name_of_its_variable(text: str, name: str) -> None:
    assert names(text) == {name}


def test_two_arrays_have_their_names() -> None:
    one, other = (f"{name} = cuda.shared.array(32, float32)" for name in ("tile", "mine"))
    declarations = f"{one}\n        {other}; mine[row % 32] = 1.0"
    text = using(declarations).replace("= tile[cols % 32]", "= tile[cols % 32] + mine[rows % 32]")
    assert names(text) == {"tile", "mine"}


def test_an_array_of_a_device_function_in_another_file_has_its_name() -> None:
    helper = (
        "from numba import cuda, float32\n@cuda.jit(device=True)\ndef turn(x):\n"
        "    buffer = cuda.shared.array(32, float32)\n    buffer[cuda.threadIdx.x % 32] = x\n"
        "    cuda.syncthreads()\n    return buffer[31 - cuda.threadIdx.x % 32]\n"
    )
    text = "from helper import turn\n" + NUMBA_KERNEL.replace("= total", "= turn(total)")
    assert names(text, helper=helper) == {"buffer"}


def test_both_languages_compile_for_one_target() -> None:
    target = re.compile(r"^\.target (\w+)", re.MULTILINE)
    (numba,) = target.findall(ptx(build_numba()))
    (cuda_c,) = target.findall(ptx(build_cuda(CUDA_KERNEL)))
    assert numba == cuda_c == PTX_ARCH.replace("compute", "sm")
