"""Parameters of CUDA C kernels against the lab's specification."""

import pytest

from grader.compile.signatures import read_function_type, read_signature
from grader.model.kernel import KernelSpec, Param
from grader.model.location import SourceLocation
from grader.model.reason import reason
from tests.compile.examples import CUDA_KERNEL, ROW_SUM, build_cuda, build_numba, only_kernel

GOOD = [
    "float *a, float *out, int rows, int cols",
    "const float *__restrict__ x, float *__restrict__ y, const int n, int m",
    "const float a[], float out[], int rows, int cols",
    "volatile float *a, float *out, signed rows, int32_t cols",
    "data a, number *out, int rows, int cols",
]
BAD = {
    "const float *a, float *out, int rows": "(const float*, float*, int)",
    "const float *a, float *out, int rows, int cols, int more": "(const float*, float*, int, int, int)",
    "const double *a, float *out, int rows, int cols": "(const double*, float*, int, int)",
    "const float *a, float *out, unsigned rows, int cols": "(const float*, float*, unsigned int, int)",
    "const float *a, float *out, size_t rows, int cols": "(const float*, float*, unsigned long, int)",
    "const float *a, float out, int rows, int cols": "(const float*, float, int, int)",
    "const float **a, float *out, int rows, int cols": "(const float**, float*, int, int)",
    "const float4 *a, float *out, int rows, int cols": "(const float4*, float*, int, int)",
    "": "()",
}


def kernel(parameters: str, linkage: str = "") -> str:
    return (
        "typedef const float *data;\n#define number float\n"
        f"{linkage} __global__ void row_sum({parameters})\n{{\n}}\n"
    )


@pytest.mark.parametrize("linkage", ["", 'extern "C"'], ids=["mangled", "extern C"])
@pytest.mark.parametrize("parameters", GOOD)
def test_names_typedefs_macros_and_const_do_not_matter(parameters: str, linkage: str) -> None:
    assert only_kernel(build_cuda(kernel(parameters, linkage))).line == 3


@pytest.mark.parametrize("linkage", ["", 'extern "C"'], ids=["mangled", "extern C"])
@pytest.mark.parametrize("parameters", BAD)
def test_other_types_are_the_wrong_parameters(parameters: str, linkage: str) -> None:
    said = build_cuda(kernel(parameters, linkage)).problems["row_sum"].reason
    assert said.location == SourceLocation(file="row_sum.cu", line=3)
    assert said.params["wanted"] == ROW_SUM.c_signature
    assert said.params["declared"] == f"__global__ void row_sum{BAD[parameters]}"


def test_of_two_overloads_the_fitting_one_is_taken() -> None:
    text = kernel("const double *a, double *out, int rows, int cols") + CUDA_KERNEL
    assert only_kernel(build_cuda(text)).symbol == "_Z7row_sumPKfPfii"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (CUDA_KERNEL.replace("__global__ ", ""), "kernel-is-host-function"),
        (CUDA_KERNEL.replace("__global__", "__device__"), "kernel-is-device-function"),
        ("template <int TILE>\n" + CUDA_KERNEL, "kernel-is-template"),
        (
            "#if 0\n#else\n" + CUDA_KERNEL.split("{", maxsplit=1)[0] + ";\n#endif",
            "kernel-without-body",
        ),
        (CUDA_KERNEL.replace("row_sum", "rowsum"), "kernel-missing-similar"),
        ("// nothing here", "kernel-missing"),
    ],
)
def test_a_missing_kernel_says_why(text: str, code: str) -> None:
    said = build_cuda(text).problems["row_sum"].reason
    assert said.code == code
    assert said.params["wanted"] == ROW_SUM.c_signature


def test_the_only_other_kernel_is_suggested_whatever_its_name() -> None:
    said = build_cuda(CUDA_KERNEL.replace("row_sum", "matrix_kernel")).problems["row_sum"].reason
    assert (said.code, said.params["similar"]) == ("kernel-missing-similar", "matrix_kernel")


def test_kernels_with_other_names_are_listed() -> None:
    names = [f"other_{letter}" for letter in "abcdefg"]
    template = "template <int N> __global__ void other_t() { }\n"
    text = "".join(f"__global__ void {name}() {{ }}\n" for name in names)
    said = build_cuda(template + text).problems["row_sum"].reason
    assert said.params["others"] == (*names[:5], reason("more-items", count=3))


def test_the_parameter_that_differs_is_named() -> None:
    said = (
        build_cuda(kernel("const float *a, float *out, unsigned rows, int cols")).problems["row_sum"].reason
    )
    assert (said.code, said.params["number"]) == ("parameter-differs", 3)
    assert (said.params["found"], said.params["parameter"]) == ("unsigned int", "int rows")


def test_where_every_kernel_is_missing_each_reason_names_its_own() -> None:
    specs = tuple(KernelSpec(name=name, params=(Param.parse("float32 a[n]"),)) for name in ("scale", "shift"))
    for outcome in (build_cuda("// nothing here", kernels=specs), build_numba("x = 1", kernels=specs)):
        for spec in specs:
            said = outcome.problems[spec.name].reason
            assert (said.code, said.params["kernel"]) == ("kernel-missing", spec.name)


def test_another_of_the_labs_kernels_is_not_suggested() -> None:
    params = (Param.parse("float32 a[n]"),)
    specs = (KernelSpec(name="scale_a", params=params), KernelSpec(name="scale_b", params=params))
    outcome = build_cuda("__global__ void scale_a(float *a) { }", kernels=specs)
    assert outcome.problems["scale_b"].reason.code == "kernel-missing"


def test_signatures_are_read_off_mangled_names() -> None:
    signature = read_signature("_ZN3lab4tileILi16EEEvPKfPA8_Kfmb")
    assert signature is not None
    assert (signature.name, signature.template) == ("tile", True)
    assert signature.types == ("float const*", "float const (*) [8]", "unsigned long", "bool")
    assert read_signature("row_sum") is None
    assert read_signature("_Zbroken") is None


def test_a_function_type_is_read_off_a_template_argument() -> None:
    signature = read_function_type("_Z12grader_probeIFvPKfS1_ijmxbEEvv", "k")
    assert signature is not None
    assert str(signature) == (
        "__global__ void k(const float*, const float*, int, unsigned int, unsigned long, long long, bool)"
    )
