"""Features that a lab forbids."""

import pytest

from grader.compile.forbidden import FEATURES
from grader.errors import UserError
from grader.model.kernel import KernelSpec
from grader.model.location import SourceLocation
from tests.compile.examples import (
    CUDA_KERNEL,
    NUMBA_KERNEL,
    ROW_SUM,
    build_cuda,
    build_numba,
    only_kernel,
    with_statement,
)
from tools.messages import english


@pytest.mark.parametrize(
    ("feature", "statement"),
    [
        ("atomics", "atomicAdd(out + row, sum);"),
        ("atomics", "out[row] = atomicExch(out, sum);"),
        ("float-atomics", "atomicAdd(out + row, sum);"),
        ("float-atomics", "out[row] = atomicAdd((double *)out, sum);"),
        ("float-atomics", "out[row] = atomicExch(out, sum);"),
        ("float-atomics", "out[row] = atomicCAS((unsigned *)out, 0u, __float_as_uint(sum));"),
        ("shuffles", "out[row] = __shfl_down_sync(~0u, sum, 1);"),
        ("votes", "out[row] = __ballot_sync(~0u, sum > 0);"),
        ("inline-ptx", 'asm volatile("bar.sync 0;"); out[row] = sum;'),
        ("inline-ptx", 'asm("mov.f32 %0, %1;" : "=f"(out[row]) : "f"(sum));'),
    ],
)
def test_a_forbidden_feature_is_named_with_its_line(feature: str, statement: str) -> None:
    text = with_statement(statement)
    only_kernel(build_cuda(text))
    outcome = build_cuda(text, forbid=(feature,))
    assert outcome.fault is not None
    assert english(outcome.fault.reason).startswith("row_sum.cu, line 8: this lab does not allow ")
    assert english(outcome.fault.reason).endswith(f"({feature})")


@pytest.mark.parametrize("pair", ["__half2", "__nv_bfloat162"])
def test_pairs_of_half_precision_are_floating_point_numbers_too(pair: str) -> None:
    statement = f"out[row] = sum; atomicAdd(({pair} *)out, {pair}());"
    text = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n" + with_statement(statement)
    outcome = build_cuda(text, forbid=("float-atomics",), arch="sm_90")
    assert outcome.fault is not None
    assert "line 10" in english(outcome.fault.reason)


@pytest.mark.parametrize(
    "operation",
    ["atomicInc(&done, 7u)", "atomicAdd(&done, 1u)", "atomicMax(&done, 3u)", "atomicOr(&done, 1u)"],
)
def test_counting_with_integers_is_no_atomic_operation_on_floats(operation: str) -> None:
    text = "__device__ unsigned done;\n" + with_statement(f"out[row] = {operation} == 7 ? sum : 0;")
    only_kernel(build_cuda(text, forbid=("float-atomics",)))
    assert build_cuda(text, forbid=("atomics",)).fault is not None


@pytest.mark.parametrize(
    ("feature", "prelude", "statement"),
    [
        (
            "atomics",
            "#define HIDDEN atomic##Add\n#define JOIN(a, b) a##b",
            "JOIN(atomic, Add)(out + row, sum);",
        ),
        ("inline-ptx", "#define JOIN(a, b) a##b", 'JOIN(as, m)("bar.sync 0;");'),
        ("inline-ptx", "#define JOIN(a, b) a%:%:b", 'JOIN(as, m)("bar.sync 0;");'),
        ("inline-ptx", "#define HIDDEN asm", 'HIDDEN("bar.sync 0;");'),
    ],
)
def test_a_macro_does_not_hide_it(feature: str, prelude: str, statement: str) -> None:
    outcome = build_cuda(f"{prelude}\n{with_statement(statement)}", forbid=(feature,))
    assert outcome.fault is not None
    assert f"({feature})" in english(outcome.fault.reason)


def test_what_the_compilers_own_headers_do_is_not_the_students() -> None:
    text = "#include <cuda_fp16.h>\n" + with_statement(
        "out[row] = __half2float(__float2half(sum)); __activemask();"
    )
    only_kernel(build_cuda(text, forbid=("inline-ptx",)))


def test_an_external_call_is_found_and_printf_is_allowed() -> None:
    text = "extern __device__ float elsewhere(float);\n" + with_statement("out[row] = elsewhere(sum);")
    outcome = build_cuda(text, forbid=("external-calls",))
    assert outcome.fault is not None
    assert "line 9" in english(outcome.fault.reason)
    only_kernel(
        build_cuda(
            with_statement('printf("%f", sum); assert(sum > 0); out[row] = sum;'), forbid=("external-calls",)
        )
    )


def test_only_the_kernel_that_breaks_the_rule_is_lost() -> None:
    other = KernelSpec(name="row_max", params=ROW_SUM.params)
    text = CUDA_KERNEL.replace("row_sum", "row_max") + with_statement("atomicAdd(out + row, sum);")
    outcome = build_cuda(text, kernels=(ROW_SUM, other), forbid=("atomics",))
    assert list(outcome.problems) == ["row_sum"]
    assert outcome.module is not None
    assert [kernel.name for kernel in outcome.module.kernels] == ["row_max"]


def test_a_forbidden_feature_is_found_in_numba_too() -> None:
    text = NUMBA_KERNEL.replace("out[row] = total", "cuda.atomic.add(out, row, total)")
    outcome = build_numba(text, forbid=("atomics",))
    assert (
        english(outcome.problems["row_sum"].reason)
        == "row_sum.py, line 11: this lab does not allow atomic operations (atomics)"
    )


@pytest.mark.parametrize("operation", ["add", "max"])
def test_atomic_operations_on_floats_are_found_in_numba_too(operation: str) -> None:
    text = NUMBA_KERNEL.replace("out[row] = total", f"cuda.atomic.{operation}(out, row, total)")
    outcome = build_numba(text, forbid=("float-atomics",))
    assert english(outcome.problems["row_sum"].reason).endswith("(float-atomics)")


@pytest.mark.parametrize("feature", ["atomics", "float-atomics"])
def test_reductions_in_bulk_are_atomic(feature: str) -> None:
    ptx = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd1], [%r1], 128;"
    assert list(FEATURES[feature].find(ptx))


def test_an_unknown_feature_is_an_error_of_the_lab() -> None:
    with pytest.raises(UserError, match="'magic'"):
        build_cuda(forbid=("magic",))


GLOBAL_TIMER = 'unsigned t; asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(t)); out[row] = t;'
NUMBER = 'long long n; asm volatile("mov.u64 %0, %%gridid;" : "=l"(n)); out[row] = n;'


@pytest.mark.parametrize("statement", ["out[row] = clock();", "out[row] = clock64();", GLOBAL_TIMER, NUMBER])
def test_a_clock_read_is_located(statement: str) -> None:
    assert only_kernel(build_cuda(with_statement(statement))).clock_reading == SourceLocation(
        file="row_sum.cu", line=8
    )


def test_a_clock_read_in_a_helper_counts_for_every_kernel() -> None:
    helper = "__device__ __noinline__ float now(float x) { return x + clock(); }\n"
    outcome = build_cuda(helper + with_statement("out[row] = now(sum);"))
    assert only_kernel(outcome).clock_reading == SourceLocation(file="row_sum.cu", line=1)


def test_only_the_kernel_that_reads_the_clock_is_named() -> None:
    other = KernelSpec(name="row_max", params=ROW_SUM.params)
    text = CUDA_KERNEL.replace("row_sum", "row_max") + with_statement("out[row] = clock();")
    module = build_cuda(text, kernels=(ROW_SUM, other)).module
    assert module is not None
    assert {kernel.name for kernel in module.kernels if kernel.clock_reading} == {"row_sum"}


def test_a_cuda_barrier_wait_counts_as_a_clock_read() -> None:
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
def test_no_clock_read_is_found(text: str) -> None:
    assert only_kernel(build_cuda(text)).clock_reading is None


def test_no_clock_read_is_found_in_a_numba_kernel() -> None:
    assert only_kernel(build_numba()).clock_reading is None
