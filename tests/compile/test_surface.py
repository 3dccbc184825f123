"""Submissions with tensor cores, thread groups, textures, printed text and the device heap build successfully."""

import pytest

from grader.model.kernel import KernelSpec, Param
from tests.compile.examples import build_cuda, build_numba, only_kernel, ptx
from tools.messages import english


def spec(*params: str) -> KernelSpec:
    return KernelSpec(name="work", params=tuple(map(Param.parse, params)))


OUT = "float32 out[n]"

CUDA_C = {
    "printf and assert": (
        spec(OUT),
        (
            "#include <cstdio>\n#include <cassert>\n"
            '__global__ void work(float* out) { assert(out[0] < 5); printf("%f\\n", out[0]); }'
        ),
        ("vprintf", "__assertfail"),
    ),
    "heap": (
        spec(OUT),
        (
            "#include <stdlib.h>\n"
            "__global__ void work(float* out) { float* x = (float*)malloc(40); x[1] = 2; out[0] = x[1]; free(x); }"
        ),
        ("malloc", "free"),
    ),
    "tensor cores": (
        spec(OUT),
        (
            "#include <mma.h>\nusing namespace nvcuda;\n"
            "__global__ void work(float* out) {"
            " wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum; wmma::fill_fragment(sum, 1.0f);"
            " wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major); }"
        ),
        ("wmma.store.d",),
    ),
    "barrier of the grid": (
        spec(OUT),
        (
            "#include <cooperative_groups.h>\n"
            "__global__ void work(float* out) { out[0] = 1; cooperative_groups::this_grid().sync(); out[1] = out[0]; }"
        ),
        ("%envreg2",),
    ),
    "texture": (
        spec("texture(linear) float32 image[h][w]", OUT),
        "__global__ void work(cudaTextureObject_t image, float* out) { out[0] = tex2D<float>(image, 1.5f, 2.5f); }",
        ("tex.2d.v4.f32.f32",),
    ),
}

GRID_IN_NUMBA = """
from numba import cuda

@cuda.jit
def work(out):
    out[cuda.grid(1)] = 1
    cuda.cg.this_grid().sync()
    out[0] = 2
"""


@pytest.mark.parametrize("name", CUDA_C)
def test_the_build_takes(name: str) -> None:
    kernel, source, marks = CUDA_C[name]
    outcome = build_cuda(source, name="work.cu", kernels=(kernel,), forbid=("external-calls",))
    assert only_kernel(outcome).name == "work"
    assert [mark for mark in marks if mark not in ptx(outcome)] == []


def test_the_build_takes_a_barrier_of_the_grid_in_numba() -> None:
    outcome = build_numba(GRID_IN_NUMBA, name="work.py", kernels=(spec(OUT),), forbid=("external-calls",))
    only_kernel(outcome)
    assert "cudaCGSynchronize" in ptx(outcome)


def test_numba_has_no_textures_and_the_build_says_so() -> None:
    outcome = build_numba(GRID_IN_NUMBA, name="work.py", kernels=(spec("texture float32 image[h][w]"),))
    assert "texture" in english(outcome.problems["work"].reason)
