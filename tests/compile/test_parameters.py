"""Parameters of CUDA C kernels against the lab's specification."""

import pytest

from grader.compile.signatures import read_function_type, read_signature
from grader.model.kernel import KernelSpec, Param
from tests.compile.examples import CUDA_KERNEL, build_cuda, build_numba, only_kernel
from tools.messages import english

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
    outcome = build_cuda(kernel(parameters, linkage))
    assert english(outcome.problems["row_sum"].reason) == (
        "row_sum has the wrong parameters: "
        "the lab asks for `__global__ void row_sum(const float *a, float *out, int rows, int cols)`, "
        f"but row_sum.cu, line 3 declares `__global__ void row_sum{BAD[parameters]}`"
    )


def test_of_two_overloads_the_fitting_one_is_taken() -> None:
    text = kernel("const double *a, double *out, int rows, int cols") + CUDA_KERNEL
    assert only_kernel(build_cuda(text)).symbol == "_Z7row_sumPKfPfii"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (CUDA_KERNEL.replace("__global__ ", ""), "(row_sum.cu, line 1) is a host function, not a kernel"),
        (CUDA_KERNEL.replace("__global__", "__device__"), "is a __device__ function, not a kernel"),
        ("template <int TILE>\n" + CUDA_KERNEL, "(row_sum.cu, line 2) is a template"),
        (
            "#if 0\n#else\n" + CUDA_KERNEL.split("{", maxsplit=1)[0] + ";\n#endif",
            "declared but never defined",
        ),
        (CUDA_KERNEL.replace("row_sum", "rowsum"), "there is no kernel row_sum; rename rowsum"),
        ("// nothing here", "there is no kernel row_sum; the lab asks for `__global__ void row_sum("),
    ],
)
def test_a_missing_kernel_says_why(text: str, why: str) -> None:
    assert why in english(build_cuda(text).problems["row_sum"].reason)


def test_where_every_kernel_is_missing_each_reason_names_its_own() -> None:
    specs = tuple(KernelSpec(name=name, params=(Param.parse("float32 a[n]"),)) for name in ("scale", "shift"))
    for outcome in (build_cuda("// nothing here", kernels=specs), build_numba("x = 1", kernels=specs)):
        for spec in specs:
            assert english(outcome.problems[spec.name].reason).startswith(f"there is no kernel {spec.name}; ")


def test_another_of_the_labs_kernels_is_not_suggested() -> None:
    params = (Param.parse("float32 a[n]"),)
    specs = (KernelSpec(name="scale_a", params=params), KernelSpec(name="scale_b", params=params))
    outcome = build_cuda("__global__ void scale_a(float *a) { }", kernels=specs)
    assert "rename" not in english(outcome.problems["scale_b"].reason)


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
