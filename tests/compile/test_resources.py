"""Static resource needs of kernels."""

import pytest

from grader.compile.ptx import entries
from grader.compile.resources import link
from tests.compile.examples import (
    CUDA_KERNEL,
    NUMBA_KERNEL,
    build_cuda,
    build_numba,
    only_kernel,
    ptx,
    reason,
)


def test_shared_memory_is_counted_per_block() -> None:
    text = CUDA_KERNEL.replace(
        "float sum = 0;", "__shared__ float t[256]; t[row % 256] = 0; float sum = t[1];"
    )
    assert only_kernel(build_cuda(text)).resources.shared_bytes == 1024


@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_90", "sm_100", "sm_120"])
@pytest.mark.parametrize(
    ("body", "declared"),
    [
        ("", 0),
        ("__shared__ float t[32]; t[row % 32] = 0; sum = t[1];", 128),
        ("extern __shared__ float t[]; t[row % 32] = 0; sum = t[1];", 0),
    ],
    ids=["none", "static", "dynamic"],
)
def test_shared_memory_of_the_system_is_not_the_kernels(arch: str, body: str, declared: int) -> None:
    text = CUDA_KERNEL.replace("float sum = 0;", f"float sum = 0; {body}")
    (kernel,) = link(ptx(build_cuda(text)), arch, []).resources.values()
    assert kernel.shared_bytes == declared


def test_shared_arrays_outside_the_kernel_are_counted_too() -> None:
    helper = (
        "__shared__ float outer[100];\n"
        "__device__ __noinline__ float used(const float *a, int i) {\n"
        "    __shared__ float inner[7]; inner[i % 7] = outer[i % 100] = a[i];\n"
        "    __syncthreads(); return inner[0] + outer[1];\n"
        "}\n"
    )
    text = helper + CUDA_KERNEL.replace("float sum = 0;", "float sum = used(a, row);")
    assert only_kernel(build_cuda(text)).resources.shared_bytes == 4 * (100 + 7)


def test_a_plain_kernel_needs_registers_and_nothing_else() -> None:
    resources = only_kernel(build_cuda()).resources
    assert 8 <= resources.registers <= 64
    assert (resources.spill_bytes, resources.local_bytes, resources.shared_bytes) == (0, 0, 0)
    assert resources.max_threads == 1024


def test_a_local_array_is_counted_per_thread() -> None:
    body = "float t[100]; for (int i = 0; i < 100; i++) t[i] = a[i]; float sum = t[rows % 100];"
    assert only_kernel(build_cuda(CUDA_KERNEL.replace("float sum = 0;", body))).resources.local_bytes == 400


def test_spills_are_counted_when_registers_run_out() -> None:
    sums = " ".join(f"float s{i} = a[{i} * rows];" for i in range(120))
    use = " ".join(f"for (int i = 0; i < cols; i++) sum += s{i} * a[i + {i}];" for i in range(120))
    text = CUDA_KERNEL.replace("float sum = 0;", f"float sum = 0; {sums} __syncthreads(); {use}").replace(
        "__global__ void", "__global__ void __launch_bounds__(1024, 1)"
    )
    resources = only_kernel(build_cuda(text)).resources
    assert resources.registers <= 64
    assert resources.spill_bytes > 0


def test_a_launch_bound_limits_the_block() -> None:
    text = CUDA_KERNEL.replace("__global__ void", "__global__ void __launch_bounds__(96)")
    assert only_kernel(build_cuda(text)).resources.max_threads == 96


def test_many_registers_limit_the_block() -> None:
    source = """
.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p) {
"""
    names = range(180)
    loads = "".join(f"ld.volatile.global.u32 %r{i}, [%rd1+{4 * i}];\n" for i in names)
    stores = "".join(f"st.volatile.global.u32 [%rd1+{4 * i}], %r{i};\n" for i in names)
    text = (
        f"{source}.reg .b64 %rd<2>;\n.reg .b32 %r<181>;\nld.param.u64 %rd1, [p];\n{loads}{stores}ret;\n}}\n"
    )
    resources = link(text, "sm_75", ()).resources["k"]
    assert resources.registers > 168
    assert resources.max_threads == 256


def test_too_much_shared_memory_fails_the_build() -> None:
    text = CUDA_KERNEL.replace(
        "float sum = 0;", "__shared__ float t[20000]; t[row] = 0; float sum = t[rows];"
    )
    assert reason(build_cuda(text)) == (
        "row_sum.cu, line 1: the kernel declares 80,000 bytes of shared memory; a block may have at most 49,152"
    )


def test_assembly_that_ptxas_refuses_is_reported_at_its_line() -> None:
    text = CUDA_KERNEL.replace("float sum = 0;", 'float sum = 0; asm volatile("no.such.thing;");')
    assert reason(build_cuda(text)).startswith("row_sum.cu, line 5: the assembler refused this code: ")


def test_numba_kernels_are_counted_the_same_way() -> None:
    text = NUMBA_KERNEL.replace(
        "total = 0.0",
        "t = cuda.shared.array(64, float32); t[row % 64] = a[row, 0]; cuda.syncthreads(); total = t[cols % 64]",
    )
    assert only_kernel(build_numba(text)).resources.shared_bytes == 256


def test_options_of_the_numba_decorator_count() -> None:
    text = NUMBA_KERNEL.replace("@cuda.jit", "@cuda.jit(launch_bounds=128, max_registers=16, fastmath=True)")
    resources = only_kernel(build_numba(text)).resources
    assert resources.max_threads == 128
    assert resources.registers <= 26


def test_entries_know_their_parameters_and_extent() -> None:
    (entry,) = entries(ptx(build_cuda()))
    assert entry.params == ("u64", "u64", "u32", "u32")
    assert ptx(build_cuda())[entry.start : entry.end].count("ret;") == 1
