"""What needs a newer GPU than the compilation's target is named with the compute capability that it needs."""

import pytest

from grader.compile.architectures import TARGET, assembler_needs_newer
from grader.compile.nvrtc import PTX_ARCH
from tests.compile.examples import build_cuda, with_statement

ASM = (
    "__shared__ float s[4]; "
    'asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" '
    ':: "r"((unsigned)__cvta_generic_to_shared(s)), "l"(a)); out[row] = s[0];'
)
TF32 = (
    "nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 8, nvcuda::wmma::precision::tf32,"
    " nvcuda::wmma::row_major> f; out[row] = f.x[0];"
)


@pytest.mark.parametrize(
    ("header", "statement", "name", "needs"),
    [
        ("cstdio", "out[row] = __reduce_add_sync(~0u, cols);", "__reduce_add_sync", "8.0"),
        ("cstdio", "out[row] = __reduce_xor_sync(~0u, cols);", "__reduce_xor_sync", "8.0"),
        ("cstdio", "cudaGridDependencySynchronize();", "cudaGridDependencySynchronize", "9.0"),
        ("cstdio", "out[row] = __clusterIdx().x;", "__clusterIdx", "9.0"),
        ("cstdio", "atomicAdd((float4 *)out, float4{});", "atomicAdd(float4*)", "9.0"),
        ("cstdio", ASM, "cp.async", "8.0"),
        (
            "mma.h",
            TF32,
            "wmma::precision::tf32",
            "8.0",
        ),
    ],
)
def test_the_needed_compute_capability_is_named(header: str, statement: str, name: str, needs: str) -> None:
    outcome = build_cuda(f"#include <{header}>\n" + with_statement(statement))
    assert outcome.fault is not None
    (said,) = outcome.fault.reason.nested()
    assert (said.params["name"], said.params["needs"], said.params["target"]) == (name, needs, "7.5")
    assert outcome.fault.reason.location is not None
    assert outcome.fault.reason.location.line == 9


def test_cluster_dimensions_of_a_kernel_are_named() -> None:
    outcome = build_cuda("__cluster_dims__(2, 1, 1) " + with_statement("out[row] = sum;"))
    assert outcome.fault is not None
    (said,) = outcome.fault.reason.nested()
    assert said.params["needs"] == "9.0"


def test_the_table_speaks_of_the_target_of_the_compilation() -> None:
    assert f"compute_{TARGET.replace('.', '')}" == PTX_ARCH


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("Feature 'redux.sync' requires .target sm_80 or higher", "8.0"),
        ("Instruction 'wgmma.fence' requires .target sm_90a", "9.0"),
        ("Modifier '.bf16' requires .target sm_100 or higher", "10.0"),
    ],
)
def test_the_assemblers_own_words_are_read(text: str, needs: str) -> None:
    said = assembler_needs_newer(text)
    assert said is not None
    assert said.params["needs"] == needs


def test_other_words_of_the_assembler_are_not() -> None:
    assert assembler_needs_newer("Arguments mismatch for instruction 'mov'") is None
