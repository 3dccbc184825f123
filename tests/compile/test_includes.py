"""The headers that students include: which are read, which are left out, and what is said of those that are absent."""

import re
from collections.abc import Mapping

import pytest

from grader.compile import toolkit_headers
from grader.compile.cpp_outline import outline
from grader.compile.includes import resolve
from grader.compile.tokens import tokenize
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.module import BuiltKernel
from tests.compile.examples import CUDA_KERNEL, build_cuda, of_kind, only_kernel, ptx, reason, with_statement

HOST_HEADERS = [
    "assert.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
    "math.h",
    "sys/time.h",
    "sys/types.h",
    "unistd.h",
    "omp.h",
    "mpi.h",
    "pthread.h",
    "algorithm",
    "array",
    "cassert",
    "chrono",
    "cmath",
    "complex",
    "cstdio",
    "cstdlib",
    "cstring",
    "fstream",
    "functional",
    "iomanip",
    "iostream",
    "limits",
    "map",
    "memory",
    "numeric",
    "random",
    "stdexcept",
    "string",
    "thread",
    "tuple",
    "type_traits",
    "utility",
    "vector",
    "cuda.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_launch_parameters.h",
    "cuda_profiler_api.h",
    "nvToolsExt.h",
    "cublas_v2.h",
    "cufft.h",
    "curand.h",
    "cusparse.h",
    "helper_cuda.h",
    "helper_functions.h",
    "thrust/device_vector.h",
    "thrust/host_vector.h",
    "thrust/sort.h",
    "thrust/reduce.h",
    "thrust/transform.h",
    "thrust/execution_policy.h",
    "cub/device/device_reduce.cuh",
    "cub/device/device_scan.cuh",
]
"""Headers that host code of courses includes."""


def warnings_of(
    text: str, *, beside: Mapping[str, str] | None = None, name: str = "row_sum.cu"
) -> list[Diagnostic]:
    outcome = build_cuda(text, beside=beside, name=name)
    only_kernel(outcome)
    return of_kind(outcome, DiagnosticKind.COMPILER)


def compiled(header: str, statement: str) -> BuiltKernel:
    return only_kernel(build_cuda(f"#include <{header}>\n{with_statement(statement)}"))


def test_headers_of_host_code_need_no_word() -> None:
    lines = "".join(f"#include <{name}>\n" for name in HOST_HEADERS)
    program = "using namespace thrust;\nthrust::device_vector<float> all;\nint main() { all[0] = 1; }\n"
    assert warnings_of(lines + CUDA_KERNEL + program) == []


def test_thrust_functors_of_host_code_are_left_out_with_a_warning() -> None:
    functor = (
        "struct Double : public thrust::unary_function<float, float> {\n"
        "    __host__ __device__ float operator()(float x) const { return 2 * x; }\n};\n"
    )
    (warning,) = warnings_of("#include <thrust/transform.h>\n" + functor + CUDA_KERNEL)
    assert (warning.severity, warning.message.code, warning.line) == (Severity.WARNING, "type-left-out", 2)


@pytest.mark.parametrize(
    ("header", "called", "code"),
    [
        ("thrust/reduce.h", "thrust::reduce(thrust::seq, a, a + cols)", "library-on-host-only"),
        ("cub/cub.cuh", "cub::DeviceReduce::Sum(0, 0, a, out, cols)", "library-on-host-only"),
        ("thrust/device_vector.h", "thrust::complex<float>(1, 2).real()", "header-not-included"),
        ("cstdio", "__half2float(__float2half(sum))", "header-not-included"),
        ("cstdio", "cooperative_groups::this_thread_block().size()", "header-not-included"),
        ("iostream", "(std::cout << sum, sum)", "function-of-host-library"),
        ("cstdlib", "rand()", "function-of-host-library"),
        ("cuda_runtime.h", "cudaMalloc((void **)&out, 4)", "function-of-host-library"),
    ],
)
def test_a_library_call_in_a_kernel_is_refused_by_name_and_line(header: str, called: str, code: str) -> None:
    outcome = build_cuda(f"#include <{header}>\n" + with_statement(f"out[row] = {called};"))
    assert outcome.fault is not None
    said = outcome.diagnostics[0]
    assert (said.message.code, said.file, said.line) == (code, "row_sum.cu", 9)
    assert str(said.message.params["name"]).split("::")[0] in called


def test_the_header_of_a_renamed_namespace_is_named() -> None:
    text = "namespace cg = cooperative_groups;\n" + with_statement("cg::this_thread_block().sync();")
    outcome = build_cuda(text)
    assert [(each.message.code, each.line) for each in outcome.diagnostics] == [("header-not-included", 1)]
    assert outcome.diagnostics[0].message.params["header"] == "cooperative_groups.h"


def test_an_error_inside_a_library_is_at_the_line_that_uses_it() -> None:
    pair = "#include <cub/warp/warp_reduce.cuh>\nstruct Pair { float x; };\n"
    use = "typedef cub::WarpReduce<Pair> W; __shared__ W::TempStorage t; out[row] = W(t).Sum(Pair{sum}).x;"
    outcome = build_cuda(pair + with_statement(use))
    (error,) = outcome.diagnostics
    assert (error.message.code, error.file, error.line) == ("error-in-cuda-header", "row_sum.cu", 10)
    assert "/" not in str(error.message.params["header"]).split("cub/")[0]


def test_a_macro_that_breaks_a_header_is_suspected_at_the_include() -> None:
    outcome = build_cuda("#define T 3\n#include <cuda/std/array>\n" + CUDA_KERNEL)
    (error,) = outcome.diagnostics
    assert (error.message.code, error.file, error.line) == ("error-in-included-header", "row_sum.cu", 2)


@pytest.mark.parametrize(
    "include",
    [
        '"book.h"',
        '"../common/book.h"',
        '"../../include/wb.h"',
        '"./book.h"',
        r'"..\common\book.h"',
        '"/usr/local/course/book.h"',
        '"C:/course/book.h"',
        "<../common/book.h>",
        "<opencv2/opencv.hpp>",
        '"' + "x" * 5000 + '.h"',
    ],
)
def test_a_header_that_is_nowhere_is_a_warning(include: str) -> None:
    program = "int main(void) { HANDLE_ERROR(cudaDeviceSynchronize()); CUDA_CHECK(1); return 0; }\n"
    (warning,) = warnings_of(f"#include {include}\n{CUDA_KERNEL}{program}")
    assert (warning.severity, warning.line) == (Severity.WARNING, 1)
    assert warning.message.code in {"header-missing", "header-unavailable"}


@pytest.mark.parametrize(
    ("unit", "include", "header"),
    [
        ("src/row_sum.cu", '"../include/tools.cuh"', "include/tools.cuh"),
        ("src/row_sum.cu", '"include/tools.cuh"', "include/tools.cuh"),
        ("row_sum.cu", '"../common/tools.cuh"', "tools.cuh"),
        ("row_sum.cu", '"tools.cuh"', "common/tools.cuh"),
        ("row_sum.cu", r'"..\common\tools.cuh"', "tools.cuh"),
        ("row_sum.cu", "<tools.cuh>", "tools.cuh"),
        ("row_sum.cu", '"limits.h"', "limits.h"),
        ("row_sum.cu", '"a tool & more.h"', "a tool & more.h"),
        ("-rf.cu", '"-I.h"', "-I.h"),
    ],
)
def test_a_header_of_the_submission_is_found(unit: str, include: str, header: str) -> None:
    text = f"#include {include}\n" + with_statement("out[row] = twice(sum);")
    outcome = build_cuda(
        text, name=unit, beside={header: "__device__ float twice(float x) { return 2 * x; }\n"}
    )
    assert only_kernel(outcome).file == unit
    assert set(re.findall(r'\.file\s+\d+ "(.*)"', ptx(outcome))) <= {unit, header}


def test_a_header_found_under_another_path_is_noted() -> None:
    (note,) = warnings_of(
        '#include "../common/tools.cuh"\n' + CUDA_KERNEL, beside={"lib/tools.cuh": "int a;\n"}
    )
    assert (note.severity, note.message.code) == (Severity.NOTE, "header-found-elsewhere")
    assert note.message.params["file"] == "lib/tools.cuh"


def test_two_headers_of_one_name_are_told_apart() -> None:
    beside = {
        "a/scale.h": "#define SCALE 2\n",
        "b/scale.h": "#define OTHER 3\n",
        "b/use.h": '#include "scale.h"\n',
    }
    text = '#include "a/scale.h"\n#include "b/use.h"\n' + with_statement("out[row] = sum * SCALE * OTHER;")
    assert warnings_of(text, beside=beside) == []


def test_a_missing_header_is_the_reason_only_for_missing_names() -> None:
    missing = '#include "tools.cuh"\n'
    assert "tools.cuh" in reason(build_cuda(missing + with_statement("out[row] = twice(sum);")))
    assert reason(build_cuda(missing + with_statement("out[row] = sum"))).startswith("row_sum.cu, line 10: ")


def test_the_compiler_gets_no_name_that_a_student_wrote() -> None:
    text = (
        '#include "/etc/passwd"\n#include <../../x.h>\n#include "own.h"\n#include <cstdio>\nint main() {}\n'
    )
    tokens = {"a.cu": tuple(tokenize(text)), "own.h": ()}
    resolved = resolve("a.cu", tokens)
    assert list(resolved.texts["a.cu"].values()) == [
        "",
        "",
        '#include "submission/own.h"',
        "#include <cstdio>",
    ]
    assert outline(tokens["a.cu"]).unclosed is None


@pytest.mark.parametrize(
    "probe",
    [
        '#if __has_include("/etc/passwd")\n#endif\n',
        '#define CAT(a, b) a##b\n#if CAT(__has_, include)("/etc/passwd")\n#error seen\n#endif\n',
        "#define CAT(a, b) a%:%:b\n#if CAT(__has_inc, lude)(</etc/passwd>)\n#error seen\n#endif\n",
        "#define CAT(a, b, c) a##b##c\n#if CAT(__has, _include, _next)(<x>)\n#error seen\n#endif\n",
        '#include <cuda_fp16.h>\n#if _NV_CONCAT(__has_, embed)("/etc/passwd")\n#error seen\n#endif\n',
    ],
)
def test_no_test_for_a_file_reaches_the_compiler(probe: str) -> None:
    said = build_cuda(probe + CUDA_KERNEL).fault
    assert said is not None
    assert said.reason.code == "include-test"


def test_an_absent_curand_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    here = toolkit_headers.toolkit_header
    monkeypatch.setattr(
        "grader.compile.includes.toolkit_header", lambda name: None if "curand" in name else here(name)
    )
    unused = warnings_of("#include <curand.h>\n#include <curand_kernel.h>\n" + CUDA_KERNEL)
    assert [(each.message.code, each.line) for each in unused] == [("curand-not-installed", 2)]
    used = build_cuda("#include <curand_kernel.h>\n" + with_statement("out[row] = my_curand(sum);"))
    assert "grader[curand]" in reason(used)
