"""Kernels that read a clock are told from those that do not."""

import pytest

from grader.model.diagnostic import SourceLocation
from grader.model.kernel import KernelSpec
from tests.compile.examples import CUDA_KERNEL, ROW_SUM, build_cuda, build_numba, only_kernel, with_statement

GLOBAL_TIMER = 'unsigned t; asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(t)); out[row] = t;'
NUMBER = 'long long n; asm volatile("mov.u64 %0, %%gridid;" : "=l"(n)); out[row] = n;'


@pytest.mark.parametrize("statement", ["out[row] = clock();", "out[row] = clock64();", GLOBAL_TIMER, NUMBER])
def test_a_kernel_that_reads_a_clock_is_told_with_the_line(statement: str) -> None:
    assert only_kernel(build_cuda(with_statement(statement))).clock_reading == SourceLocation(
        file="row_sum.cu", line=8
    )


def test_reading_in_a_function_beside_the_kernels_counts_for_all() -> None:
    helper = "__device__ __noinline__ float now(float x) { return x + clock(); }\n"
    outcome = build_cuda(helper + with_statement("out[row] = now(sum);"))
    assert only_kernel(outcome).clock_reading == SourceLocation(file="row_sum.cu", line=1)


def test_a_kernel_is_not_blamed_for_another() -> None:
    other = KernelSpec(name="row_max", params=ROW_SUM.params)
    text = CUDA_KERNEL.replace("row_sum", "row_max") + with_statement("out[row] = clock();")
    module = build_cuda(text, kernels=(ROW_SUM, other)).module
    assert module is not None
    assert {kernel.name for kernel in module.kernels if kernel.clock_reading} == {"row_sum"}


def test_waiting_in_the_library_of_cuda_counts_too() -> None:
    waiting = "__shared__ cuda::barrier<cuda::thread_scope_block> all; all.arrive_and_wait(); out[row] = sum;"
    outcome = build_cuda("#include <cuda/barrier>\n" + with_statement(waiting))
    assert only_kernel(outcome).clock_reading == SourceLocation(file="row_sum.cu", line=9)


@pytest.mark.parametrize(
    "text",
    [
        CUDA_KERNEL,
        with_statement("out[row] = sum; // %clock"),
        "#include <cooperative_groups.h>\n"
        + with_statement("cooperative_groups::this_grid().sync(); out[row] = sum;"),
    ],
    ids=["plain", "in a comment", "a barrier of the grid"],
)
def test_these_read_none(text: str) -> None:
    assert only_kernel(build_cuda(text)).clock_reading is None


def test_a_kernel_in_numba_reads_none() -> None:
    assert only_kernel(build_numba()).clock_reading is None
