"""Parameters of CUDA C kernels against the lab's specification."""

import pytest

from grader.compile.signatures import read_function_type, read_signature
from grader.model.build import BuildOutcome
from grader.model.diagnostic import DiagnosticKind
from grader.model.kernel import KernelSpec, Param
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from tests.compile.examples import CUDA_KERNEL, ROW_SUM, build_cuda, build_numba, of_kind, only_kernel

GOOD = [
    "float *a, float *out, int rows, int cols",
    "const float *__restrict__ x, float *__restrict__ y, const int n, int m",
    "const float a[], float out[], int rows, int cols",
    "volatile float *a, float *out, signed rows, int32_t cols",
    "data a, number *out, int rows, int cols",
]
BAD = {
    "const float *a, int rows, int cols": "(const float*, int, int)",
    "const float *a, float *out, int rows, int cols, int more": "(const float*, float*, int, int, int)",
    "const double *a, float *out, int rows, int cols": "(const double*, float*, int, int)",
    "const float *a, float *out, short rows, int cols": "(const float*, float*, short, int)",
    "const float *a, float *out, int rows, float cols": "(const float*, float*, int, float)",
    "const float *a, float out, int rows, int cols": "(const float*, float, int, int)",
    "const float **a, float *out, int rows, int cols": "(const float**, float*, int, int)",
    "const double2 *a, float *out, int rows, int cols": "(const double2*, float*, int, int)",
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


def listed(outcome: BuildOutcome, kernel: str = "row_sum") -> dict[str, int | None]:
    """Return the kernels that the message about a missing kernel lists, with their lines."""
    others = outcome.problems[kernel].reason.params["others"]
    assert isinstance(others, tuple)
    shown = [each for each in others if isinstance(each, Reason) and each.code == "kernel-at"]
    return {str(each.params["kernel"]): each.location.line if each.location else None for each in shown}


def test_all_kernels_are_listed_with_their_lines() -> None:
    names = [f"other_{letter}" for letter in "abcdefg"]
    template = "template <int N> __global__ void other_t() { }\n"
    text = "".join(f"__global__ void {name}() {{ }}\n" for name in names)
    outcome = build_cuda(template + text)
    assert outcome.problems["row_sum"].reason.code == "kernel-missing-others"
    assert listed(outcome) == {"other_t": 1, **{name: line for line, name in enumerate(names, start=2)}}


def test_kernels_in_namespaces_and_extern_c_are_listed() -> None:
    text = 'namespace lab { __global__ void first() { } }\nextern "C" __global__ void second() { }\n'
    assert listed(build_cuda(text)) == {"first": 1, "second": 2}


def test_what_is_not_compiled_is_not_listed() -> None:
    text = (
        "#if 0\n__global__ void off() { }\n#endif\n// __global__ void note() { }\n"
        "__global__ void declared(int n);\n__device__ int helper() { return 1; }\n__global__ void here() { }\n"
    )
    assert listed(build_cuda(text)) == {"here": 7}


@pytest.mark.parametrize("name", ["Row_Sum", "ROWSUM", "rowSum", "row_sum_kernel", "rowsum_v2"])
def test_a_kernel_with_a_similar_name_is_to_be_renamed(name: str) -> None:
    text = "__global__ void init(float *x) { }\n" + CUDA_KERNEL.replace("row_sum", name)
    outcome = build_cuda(text + CUDA_KERNEL.replace("row_sum", "something"))
    assert outcome.problems["row_sum"].reason.params["similar"] == name
    assert set(listed(outcome)) == {"init", name, "something"}


def test_the_only_kernel_that_takes_the_arguments_is_to_be_renamed() -> None:
    text = "__global__ void row_init(float *x) { }\n" + CUDA_KERNEL.replace("row_sum", "add_up")
    said = build_cuda(text).problems["row_sum"].reason
    assert (said.code, said.params["similar"]) == ("kernel-missing-similar", "add_up")


def test_the_parameter_that_differs_is_named() -> None:
    said = build_cuda(kernel("const float *a, float *out, short rows, int cols")).problems["row_sum"].reason
    assert (said.code, said.params["number"]) == ("parameter-differs", 3)
    assert (said.params["found"], said.params["parameter"]) == ("short", "int rows")


def test_a_note_says_which_argument_each_parameter_takes() -> None:
    (note,) = of_kind(
        build_cuda(kernel("int cols, float *result, const float *x")), DiagnosticKind.PARAMETERS
    )
    assert (note.file, note.line, note.message.params["kernel"]) == ("row_sum.cu", 3, "row_sum")
    assert note.message.params["changes"] == (
        reason("parameter-by-name", name="cols", number=1, parameter="cols"),
        reason("parameter-by-not-const", name="result", number=2, parameter="out"),
        reason("parameter-renamed", name="x", parameter="a"),
        reason("parameter-not-passed", parameter="rows"),
    )
    assert note.advice == reason("sizes-not-declared", sizes=("`int rows`",))


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ("int rows, int cols, const float *a, float *out", ["rows", "cols"]),
        ("float *out, const float *a, int rows, int cols", ["out"]),
        ("const float *a, float *out, int cols", []),
        ("int cols, const float *a, float *out", ["cols"]),
    ],
)
def test_only_parameters_that_stand_elsewhere_are_named(parameters: str, names: list[str]) -> None:
    notes = of_kind(build_cuda(kernel(parameters)), DiagnosticKind.PARAMETERS)
    changes = notes[0].message.params["changes"]
    assert isinstance(changes, tuple)
    moved = [each for each in changes if isinstance(each, Reason) and each.code.startswith("parameter-by-")]
    assert [each.params["name"] for each in moved] == names


@pytest.mark.parametrize(
    "parameters", ["float *a, float *out, int rows, int cols", "float *, float *, int, int"]
)
def test_the_labs_own_parameters_need_no_note(parameters: str) -> None:
    outcome = build_cuda(kernel(parameters))
    assert not of_kind(outcome, DiagnosticKind.PARAMETERS)
    assert only_kernel(outcome).arguments is None


def test_other_names_in_the_labs_order_are_listed() -> None:
    outcome = build_cuda(kernel("const float *d_A, float *result, const int n, int cols"))
    (note,) = of_kind(outcome, DiagnosticKind.PARAMETERS)
    assert note.message.params["changes"] == (
        reason("parameter-renamed", name="result", parameter="out"),
        reason("parameter-renamed", name="n", parameter="rows"),
    )
    assert only_kernel(outcome).arguments is None


def test_names_that_a_macro_generates_do_not_count() -> None:
    text = "#define P(x) const float *a, float *out, int x##cols, int x##rows\n__global__ void row_sum(P()) { }\n"
    assert only_kernel(build_cuda(text)).arguments is None


def test_of_two_overloads_the_labs_own_parameters_are_meant() -> None:
    text = CUDA_KERNEL + kernel("float *out, const float *a, int rows, int cols").split("\n", maxsplit=2)[2]
    assert only_kernel(build_cuda(text)).symbol == "_Z7row_sumPKfPfii"


def test_where_every_kernel_is_missing_each_reason_names_its_own() -> None:
    specs = tuple(KernelSpec(name=name, params=(Param.parse("float32 a[n]"),)) for name in ("scale", "shift"))
    for outcome in (build_cuda("// nothing here", kernels=specs), build_numba("x = 1", kernels=specs)):
        for spec in specs:
            said = outcome.problems[spec.name].reason
            assert (said.code, said.params["kernel"]) == ("kernel-missing", spec.name)


def test_another_of_the_labs_kernels_is_listed_and_not_suggested() -> None:
    params = (Param.parse("float32 a[n]"),)
    specs = (KernelSpec(name="scale_a", params=params), KernelSpec(name="scale_b", params=params))
    outcome = build_cuda("__global__ void scale_a(float *a) { }", kernels=specs)
    assert outcome.problems["scale_b"].reason.code == "kernel-missing-others"
    assert listed(outcome, "scale_b") == {"scale_a": 1}


def test_one_kernel_is_not_suggested_for_several_names() -> None:
    names = ("row_sum_global", "row_sum_shared", "row_sum_shared_padded")
    specs = tuple(KernelSpec(name=name, params=ROW_SUM.params) for name in names)
    outcome = build_cuda(CUDA_KERNEL.replace("row_sum", "sum_shared"), kernels=specs)
    codes = {name: outcome.problems[name].reason.code for name in names}
    assert codes == {
        "row_sum_global": "kernel-missing-others",
        "row_sum_shared": "kernel-missing-similar",
        "row_sum_shared_padded": "kernel-missing-others",
    }


def test_signatures_are_read_off_mangled_names() -> None:
    signature = read_signature("_ZN3lab4tileILi16EEEvPKfPA8_Kfmb")
    assert signature is not None
    assert (signature.name, signature.instance) == ("tile", "tile<16>")
    assert signature.types == ("float const*", "float const (*) [8]", "unsigned long", "bool")
    assert read_signature("row_sum") is None
    assert read_signature("_Zbroken") is None


def test_a_function_type_is_read_off_a_template_argument() -> None:
    signature = read_function_type("_Z12grader_probeIFvPKfS1_ijmxbEEvv", "k")
    assert signature is not None
    assert str(signature) == (
        "__global__ void k(const float*, const float*, int, unsigned int, unsigned long, long long, bool)"
    )
