"""CUDA C submissions, built."""

import re

import pytest

from grader.errors import UserError
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.kernel import KernelSpec
from grader.model.module import Abi
from tests.compile.examples import CUDA_KERNEL, ROW_SUM, build_cuda, of_kind, only_kernel, ptx, reason
from tools.messages import english

PROGRAM = f"""\
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "device_launch_parameters.h"
using namespace std;
#define CHECK(call) do {{ if (call) exit(1); }} while (0)
int size = 1000;
float *buffer, host[100];
struct Timer {{ cudaEvent_t start; std::vector<float> times; void begin() {{ cudaEventRecord(start); }} }};
void fill(std::vector<float> &v) {{ for (auto &x : v) x = 1; }}
{CUDA_KERNEL}
int main(int argc, char **argv)
{{
    float *d;
    CHECK(cudaMalloc(&d, size));
    row_sum<<<1, 2>>>(d, d, 1, 1);
    printf("}}");
    return 0;
}}
"""


def test_a_kernel_becomes_ptx_with_lines_and_a_cubin() -> None:
    outcome = build_cuda()
    kernel = only_kernel(outcome)
    assert (kernel.abi, kernel.params, kernel.geometry) == (Abi.C, ROW_SUM.params, None)
    assert (kernel.file, kernel.line) == ("row_sum.cu", 1)
    assert outcome.module is not None
    (unit,) = outcome.module.units
    assert f".entry {kernel.symbol}(" in unit.ptx
    assert ".target sm_75" in unit.ptx
    assert re.findall(r'\.file\s+\d+ "(.*)"', unit.ptx) == ["row_sum.cu"]
    assert re.search(r"\.loc\s+1 7 ", unit.ptx)
    assert unit.cubins["sm_75"].startswith(b"\x7fELF")
    assert outcome.module.user_files == ("row_sum.cu",)


def test_the_cubin_is_for_the_architecture_asked_for() -> None:
    outcome = build_cuda(arch="sm_90")
    assert outcome.module is not None
    assert list(outcome.module.units[0].cubins) == ["sm_90"]
    assert ".target sm_75" in ptx(outcome)


def test_an_unknown_architecture_is_a_user_error() -> None:
    with pytest.raises(UserError, match="'sm_12'"):
        build_cuda(arch="sm_12")


@pytest.mark.parametrize(
    "text",
    [
        f'extern "C" {CUDA_KERNEL}',
        f'extern "C" {{\n{CUDA_KERNEL}}}\n',
        f"namespace lab {{\n{CUDA_KERNEL}}}\n",
        f"__global__ void row_sum(const float *, float *, int, int);\n{CUDA_KERNEL}",
        CUDA_KERNEL.replace("__global__ void", "void __global__ __launch_bounds__(256)"),
        f"#define KERNEL __global__ void\n{CUDA_KERNEL.replace('__global__ void', 'KERNEL')}",
        CUDA_KERNEL.replace("\n", "\r\n"),
        "\ufeff" + CUDA_KERNEL,
    ],
    ids=["extern C", "extern C block", "namespace", "prototype", "launch bounds", "macro", "CRLF", "BOM"],
)
def test_a_kernel_is_found_however_it_is_declared(text: str) -> None:
    only_kernel(build_cuda(text))


def test_a_whole_program_is_accepted_for_its_kernels() -> None:
    outcome = build_cuda(PROGRAM)
    kernel = only_kernel(outcome)
    assert kernel.line == PROGRAM[: PROGRAM.index("__global__")].count("\n") + 1
    (note,) = of_kind(outcome, DiagnosticKind.HOST_CODE_IGNORED)
    assert note.severity is Severity.NOTE
    assert note.message.params == {"functions": ("fill", "main")}
    assert note.line == 10
    assert re.search(rf"\.loc\s+1 {(kernel.line or 0) + 6} ", ptx(outcome))


def test_a_whole_program_keeps_the_lines_of_its_errors() -> None:
    broken = PROGRAM.replace("sum += a[", "sum += b[")
    outcome = build_cuda(broken)
    line = broken[: broken.index("b[row")].count("\n") + 1
    assert reason(outcome) == f'row_sum.cu, line {line}: identifier "b" is undefined'


def test_a_compiler_error_names_the_students_file_and_line() -> None:
    outcome = build_cuda(CUDA_KERNEL.replace("float sum = 0;", "flot sum = 0;"))
    assert reason(outcome) == 'row_sum.cu, line 5: identifier "flot" is undefined'
    (error,) = of_kind(outcome, DiagnosticKind.COMPILER)
    assert (error.severity, error.file, error.line) == (Severity.ERROR, "row_sum.cu", 5)


def test_a_compiler_warning_does_not_stop_the_build() -> None:
    outcome = build_cuda(CUDA_KERNEL.replace("float sum = 0;", "float sum = 0; int unused;"))
    only_kernel(outcome)
    (warning,) = of_kind(outcome, DiagnosticKind.COMPILER)
    assert (warning.severity, warning.line) == (Severity.WARNING, 5)
    assert "unused" in english(warning.message)


def test_a_missing_brace_is_pointed_out_where_it_opens() -> None:
    outcome = build_cuda(CUDA_KERNEL.replace("out[row] = sum;\n    }", "out[row] = sum;\n"))
    assert reason(outcome).startswith("row_sum.cu, line 2: this { is never closed")
    assert outcome.diagnostics[0].message.code == "brace-not-closed"


def test_a_host_helper_called_by_a_kernel_is_explained() -> None:
    text = "float twice(float x) { return 2 * x; }\n" + CUDA_KERNEL.replace("= sum;", "= twice(sum);")
    assert "twice (row_sum.cu, line 1) is a host function; mark it __device__" in reason(build_cuda(text))


def test_a_host_variable_read_by_a_kernel_is_explained() -> None:
    text = "int factor = 2;\n" + CUDA_KERNEL.replace("= sum;", "= sum * factor;")
    assert reason(build_cuda(text)).startswith("row_sum.cu, line 1: this is a host variable")


def test_a_mistake_in_a_structure_is_reported_where_it_is() -> None:
    text = "struct Pair { flaot x; };\n" + CUDA_KERNEL.replace("= sum;", "= sum; Pair p; p.x = 1;")
    assert reason(build_cuda(text)) == 'row_sum.cu, line 1: identifier "flaot" is undefined'


def test_device_code_can_use_what_nvcc_reads_first() -> None:
    used = "-INFINITY + M_PI + INT_MAX + (uint32_t)1 + (NULL == a)"
    only_kernel(build_cuda(CUDA_KERNEL.replace("float sum = 0;", f"float sum = {used};")))


def test_limits_of_types_come_from_their_headers() -> None:
    used = (
        "FLT_MAX + std::numeric_limits<float>::lowest() + std::numeric_limits<int>::max() + std::sqrt(2.0f)"
    )
    text = "#include <cfloat>\n#include <limits>\n#include <cmath>\n"
    only_kernel(build_cuda(text + CUDA_KERNEL.replace("float sum = 0;", f"float sum = {used};")))


def test_constexpr_functions_and_templates_work_as_under_nvcc() -> None:
    body = "__shared__ float t[padded(3)]; Pair<float> p{0}; float sum = p.get(); t[0] = 1;"
    text = (
        "constexpr int padded(int n) { return n + 1; }\n"
        "template <typename T> struct Pair { T x; __device__ T get() const { return x; } };\n"
        + CUDA_KERNEL.replace("float sum = 0;", body)
    )
    only_kernel(build_cuda(text))


def test_a_header_of_the_submission_is_found_beside_its_source() -> None:
    header = "#pragma once\n__device__ float twice(float x) { return 2 * x; }\nvoid host() { cudaFree(0); }\n"
    text = '#include "tools.cuh"\n' + CUDA_KERNEL.replace("= sum;", "= twice(sum);")
    outcome = build_cuda(text, name="src/row_sum.cu", beside={"src/tools.cuh": header})
    only_kernel(outcome)
    assert set(re.findall(r'\.file\s+\d+ "(.*)"', ptx(outcome))) <= {"src/row_sum.cu", "src/tools.cuh"}


def test_an_error_in_a_header_names_the_header() -> None:
    outcome = build_cuda('#include "tools.cuh"\n' + CUDA_KERNEL, beside={"tools.cuh": "__device__ flot f;\n"})
    assert reason(outcome) == 'tools.cuh, line 1: identifier "flot" is undefined'


def test_a_header_outside_the_submission_is_the_reason_given() -> None:
    text = '#include "tools.cuh"\n' + CUDA_KERNEL.replace("= sum;", "= twice(sum);")
    assert reason(build_cuda(text)).startswith('row_sum.cu, line 1: "tools.cuh" is not in the submission')


def test_a_host_library_that_is_missing_is_a_warning_only() -> None:
    outcome = build_cuda("#include <opencv2/core.hpp>\n" + CUDA_KERNEL)
    only_kernel(outcome)
    (warning,) = of_kind(outcome, DiagnosticKind.COMPILER)
    assert "opencv2/core.hpp" in english(warning.message)


@pytest.mark.parametrize(
    "line",
    [
        '#define FILE "/etc/passwd"\n#include FILE',
        '#embed "/etc/passwd"',
        '#include_next "/etc/passwd"',
        '#if __has_include("/etc/passwd")\n#endif',
    ],
)
def test_an_include_of_another_kind_is_refused(line: str) -> None:
    outcome = build_cuda(f"{line}\n{CUDA_KERNEL}")
    assert re.match(r"row_sum\.cu, line [12]: ", reason(outcome))
    assert "root:" not in str(outcome)


@pytest.mark.parametrize(
    "line",
    [
        '#include "/etc/passwd"',
        "#include </etc/passwd>",
        '#include "../../secret.h"',
        '#include "a/../../secret.h"',
        '#inc\\\nlude "/etc/passwd"',
        '%:include "/etc/passwd"',
        '??=include "/etc/passwd"',
        '# /* */ include /* */ "/etc/passwd"',
    ],
)
def test_an_include_cannot_leave_the_submission(line: str) -> None:
    outcome = build_cuda(f"{line}\n{CUDA_KERNEL}")
    only_kernel(outcome)
    (warning,) = of_kind(outcome, DiagnosticKind.COMPILER)
    assert (warning.severity, warning.line) == (Severity.WARNING, 1)
    assert "root:" not in str(outcome)


def test_the_toolkits_device_headers_are_real() -> None:
    text = "#include <cuda_fp16.h>\n" + CUDA_KERNEL.replace("= sum;", "= __half2float(__float2half(sum));")
    outcome = build_cuda(text)
    only_kernel(outcome)
    assert "cvt.rn.f16.f32" in ptx(outcome)


def test_several_files_are_several_units() -> None:
    other = CUDA_KERNEL.replace("row_sum", "row_max")
    spec = KernelSpec(name="row_max", params=ROW_SUM.params)
    outcome = build_cuda(beside={"row_max.cu": other}, kernels=(ROW_SUM, spec))
    assert outcome.module is not None
    assert [(kernel.name, kernel.unit) for kernel in outcome.module.kernels] == [
        ("row_sum", 0),
        ("row_max", 1),
    ]
    assert [unit.name for unit in outcome.module.units] == ["row_sum.cu", "row_max.cu"]


def test_a_kernel_in_two_files_is_refused_with_both_locations() -> None:
    spec = KernelSpec(name="row_max", params=ROW_SUM.params)
    both = CUDA_KERNEL + CUDA_KERNEL.replace("row_sum", "row_max")
    beside = {"b.cu": "\n\n" + CUDA_KERNEL, "broken.cu": "__global__ void another() { oops }"}
    outcome = build_cuda(both, name="a.cu", beside=beside, kernels=(ROW_SUM, spec))
    problem = outcome.problems["row_sum"].reason
    assert problem.code == "kernel-defined-twice"
    assert "a.cu, line 1 and b.cu, line 3" in english(problem)
    assert outcome.module is not None
    assert [kernel.name for kernel in outcome.module.kernels] == ["row_max"]


@pytest.mark.parametrize(
    "text",
    ['extern "C" ' + CUDA_KERNEL, "#define NAME row_sum\n" + CUDA_KERNEL.replace("row_sum", "NAME")],
    ids=["extern C", "a macro's name"],
)
def test_a_kernel_in_two_files_is_seen_however_it_is_written(text: str) -> None:
    failure = reason(build_cuda(text, name="a.cu", beside={"b.cu": text}))
    assert re.search(r"in a\.cu, line \d+ and b\.cu, line \d+;", failure)


def test_code_of_a_shared_header_does_not_make_two_kernels_one() -> None:
    header = "__device__ __forceinline__ float of(const float *a, int i) { return a[i]; }\n"
    first = (
        "__global__ void row_sum(const float *a, float *out, int rows, int cols)\n{ out[0] = of(a, 0); }\n"
    )
    text = '#include "common.cuh"\n' + first
    failure = reason(build_cuda(text, name="a.cu", beside={"b.cu": text, "common.cuh": header}))
    assert "in a.cu, line 2 and b.cu, line 2;" in failure


def test_two_matching_kernels_of_one_file_are_located_by_line() -> None:
    text = f"namespace mine {{\n{CUDA_KERNEL}}}\nnamespace yours {{\n{CUDA_KERNEL}}}\n"
    second = text.rindex("__global__")
    assert f"in row_sum.cu, line 2 and row_sum.cu, line {text[:second].count(chr(10)) + 1};" in reason(
        build_cuda(text)
    )


def test_a_kernel_that_two_files_include_is_one_kernel() -> None:
    include = '#include "kernel.cuh"\n'
    kernel = only_kernel(build_cuda(include, beside={"b.cu": include, "kernel.cuh": CUDA_KERNEL}))
    assert (kernel.file, kernel.line) == ("kernel.cuh", 1)
    only_kernel(build_cuda('#include "row_sum.cu"\n', name="main.cu", beside={"row_sum.cu": CUDA_KERNEL}))


def test_a_kernel_with_the_name_but_other_parameters_is_ignored() -> None:
    other = CUDA_KERNEL.replace("float", "double")
    kernel = only_kernel(build_cuda(other, name="a.cu", beside={"b.cu": "\n" + CUDA_KERNEL}))
    assert (kernel.file, kernel.line) == ("b.cu", 2)


def test_a_broken_file_costs_only_its_own_kernels() -> None:
    spec = KernelSpec(name="row_max", params=ROW_SUM.params)
    outcome = build_cuda(beside={"row_max.cu": "__global__ void row_max() { oops }"}, kernels=(ROW_SUM, spec))
    assert outcome.module is not None
    assert [kernel.name for kernel in outcome.module.kernels] == ["row_sum"]
    assert english(outcome.problems["row_max"].reason).startswith("row_max.cu, line 1: ")


@pytest.mark.parametrize("name", ["решение.cu", 'a "quoted" name.cu', "two\nlines.cu", "emoji 🚀 <b>.cu"])
def test_any_file_name_builds(name: str) -> None:
    outcome = build_cuda(name=name)
    kernel = only_kernel(outcome)
    assert outcome.module is not None
    assert outcome.module.user_files == (kernel.file,)
    assert f'"{kernel.file}"' in ptx(outcome)


def test_latin_1_comments_build_with_a_note() -> None:
    outcome = build_cuda(("// somme énorme\n" + CUDA_KERNEL).encode("latin-1"))
    only_kernel(outcome)
    assert "latin-1" in english(outcome.diagnostics[0].message)


def test_a_line_directive_cannot_move_an_error() -> None:
    outcome = build_cuda('#line 77 "elsewhere.h"\n' + CUDA_KERNEL.replace("float sum", "flot sum"))
    assert reason(outcome).startswith("row_sum.cu, line 6: ")


@pytest.mark.parametrize(
    "definition", ["#ifndef TILE\n#define TILE 16\n#endif\n", "#define TILE 16\n"], ids=["guarded", "plain"]
)
def test_a_sweep_sets_a_macro(definition: str) -> None:
    text = definition + CUDA_KERNEL.replace(
        "float sum = 0;", "__shared__ float t[TILE]; t[row % TILE] = 0; float sum = t[0];"
    )
    assert only_kernel(build_cuda(text)).resources.shared_bytes == 64
    assert only_kernel(build_cuda(text, macros={"TILE": 8})).resources.shared_bytes == 32


def test_a_macro_that_is_not_defined_is_noted() -> None:
    (note,) = build_cuda(macros={"TILE": 8}).diagnostics
    assert note.severity is Severity.NOTE
    assert "TILE" in english(note.message)


def test_a_submission_without_a_source_says_which_is_wanted() -> None:
    assert "there is no .cu file" in reason(build_cuda("int a;", name="only.h"))


def test_messages_are_capped() -> None:
    body = "\n".join(f"    undefined_{index} = 1;" for index in range(90))
    outcome = build_cuda(CUDA_KERNEL.replace("    float sum", f"{body}\n    float sum"))
    assert len(outcome.diagnostics) == 40
    assert outcome.diagnostics[-1].message.code == "more-messages"
