"""Kernel templates: which instance is the lab's kernel."""

import pytest

from grader.compile.cpp_outline import outline
from grader.compile.signatures import read_signature
from grader.compile.templates import kernel_templates
from grader.compile.tokens import tokenize
from grader.model.kernel import KernelSpec, Param
from grader.model.location import SourceLocation
from tests.compile.examples import build_cuda, only_kernel

ADD = KernelSpec(
    name="add",
    params=tuple(map(Param.parse, ("const float32 a[n]", "const float32 b[n]", "float32 c[n]", "int32 n"))),
)
SPMV = KernelSpec(
    name="add",
    params=tuple(
        map(Param.parse, ("fixed int32 starts[n]", "const float32 b[n]", "float32 c[n]", "int32 n"))
    ),
)
BODY = "{ c[0] = a[0] + b[0] + n; }\n"
SIGNATURE = "__global__ void add(const T *a, const T *b, T *c, int n) "
FIXED = "__global__ void add(const float *a, const float *b, float *c, int n) "


@pytest.mark.parametrize(
    "text",
    [
        "template <typename T> " + SIGNATURE + BODY,
        "template <class T>\n" + SIGNATURE + BODY,
        "template <typename T = double> " + SIGNATURE + BODY,
        "template <typename T, int B = 256> " + SIGNATURE + BODY,
        "template <int B = 4 * (2 + 2), typename T = float> " + SIGNATURE + BODY,
        "template <typename T, typename I> " + SIGNATURE.replace("int n", "I n") + BODY,
        "template <int B = 32> " + FIXED + BODY,
        "namespace lab { namespace inner { template <typename T> " + SIGNATURE + BODY + "} }",
        "namespace lab::inner { template <typename T> " + SIGNATURE + BODY + "}",
        "template <int B> " + FIXED + BODY + "template " + FIXED.replace("add(", "add<8>(") + ";\n",
        "template <typename T> "
        + SIGNATURE
        + "{ }\ntemplate <> "
        + FIXED.replace("add(", "add<float>(")
        + BODY,
    ],
)
def test_the_instance_for_the_labs_types_is_made(text: str) -> None:
    assert only_kernel(build_cuda(text, kernels=(ADD,))).arguments is None


def test_a_template_of_the_type_of_some_arrays_is_instantiated() -> None:
    text = "template <typename T> __global__ void add(const int *s, const T *b, T *c, int n) { c[0] = b[0] + s[n]; }"
    assert only_kernel(build_cuda(text, kernels=(SPMV,))).symbol.startswith("_Z3addIf")


def test_an_instance_that_does_not_compile_is_said_with_its_line() -> None:
    text = "template <typename T>\n" + SIGNATURE + "{\n    c[0] = a.x;\n}\n"
    said = build_cuda(text, kernels=(ADD,)).problems["add"].reason
    assert (said.code, said.location) == ("at-location", SourceLocation(file="row_sum.cu", line=3))


def test_a_value_that_nothing_says_is_asked_for() -> None:
    text = "template <typename T, int B> " + SIGNATURE + BODY
    said = build_cuda(text, kernels=(ADD,)).problems["add"].reason
    assert (said.code, said.params["example"]) == ("kernel-is-template", "float, 16")


def test_several_explicit_instances_are_ambiguous() -> None:
    instance = "template " + FIXED + ";\n"
    text = "template <int B> " + FIXED + BODY
    text += "".join(instance.replace("add(", f"add<{size}>(") for size in (8, 16))
    said = build_cuda(text, kernels=(ADD,)).problems["add"].reason
    assert (said.code, said.params["instances"]) == ("kernel-instances", ("`add<8>`", "`add<16>`"))


def test_a_template_beside_other_kernels_leaves_them_alone() -> None:
    other = KernelSpec(name="copy", params=ADD.params)
    text = "template <int B> " + FIXED + BODY + FIXED.replace("add(", "copy(") + BODY
    outcome = build_cuda(text, kernels=(ADD, other))
    assert set(outcome.problems) == {"add"}
    assert outcome.module is not None
    assert outcome.module.kernel("copy").line == 2


@pytest.mark.parametrize(
    ("launched", "expected"),
    [
        ([("16",)], ("add<16, float>", "add<16, int>")),
        ([("16", "double")], ("add<16, double>",)),
        ([("8", "float"), ("16", "float"), ("8", "float")], ("add<8, float>", "add<16, float>")),
        ([], ()),
    ],
)
def test_launches_give_the_template_arguments(
    launched: list[tuple[str, ...]], expected: tuple[str, ...]
) -> None:
    text = "template <int B, typename T> " + SIGNATURE + BODY
    (template,) = kernel_templates({"a.cu": outline(tuple(tokenize(text)))}, "add")
    assert template.instances(ADD, launched) == expected


MATMUL = "template <int TILE> " + FIXED + BODY
TYPED = "template <typename T, int TILE> " + SIGNATURE + BODY


def launching(kernel: str, main: str) -> str:
    """Return a program of a kernel template and a ``main`` with the statements."""
    return f"{kernel}int main()\n{{\n    float *a, *b, *c; int n = 100;\n    {main}\n}}\n"


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        (launching(MATMUL, "add<16><<<n / 16, 16>>>(a, b, c, n);"), "add<16>"),
        ("#define SIZE 8\n" + launching(MATMUL, "add<SIZE><<<n, SIZE>>>(a, b, c, n);"), "add<8>"),
        ("constexpr int size = 4;\n" + launching(MATMUL, "add<size><<<n, 4>>>(a, b, c, n);"), "add<4>"),
        (launching(MATMUL, "const int size = 32; add<size><<<n, 32>>>(a, b, c, n);"), "add<32>"),
        (launching(MATMUL, "add<4 * 8><<<n, 32>>>(a, b, c, n);"), "add<32>"),
        (launching(TYPED, "add<float, 16><<<n, 16>>>(a, b, c, n);"), "add<float, 16>"),
        (launching("template <typename T> " + SIGNATURE + BODY, "add<<<n, 16>>>(a, b, c, n);"), "add<float>"),
        (
            launching(
                "template <int TILE, typename T> " + SIGNATURE + BODY, "add<16><<<n, 16>>>(a, b, c, n);"
            ),
            "add<16, float>",
        ),
        (
            "namespace lab { " + MATMUL + "}\n" + launching("", "lab::add<16><<<n, 16>>>(a, b, c, n);"),
            "add<16>",
        ),
        (
            MATMUL + "template <int T> void run(float *a, int n) { add<T><<<n, T>>>(a, a, a, n); }\n"
            "int main() { float *a; int n = 4; run<64>(a, n); }\n",
            "add<64>",
        ),
    ],
)
def test_the_instance_that_main_launches_is_made(text: str, symbol: str) -> None:
    found = read_signature(only_kernel(build_cuda(text, kernels=(ADD,))).symbol)
    assert found is not None
    assert found.instance == symbol


def test_of_several_launches_the_last_one_gives_instance_and_block() -> None:
    text = launching(MATMUL, "add<16><<<n, 16>>>(a, b, c, n); add<32><<<n, 32>>>(a, b, c, n);")
    outcome = build_cuda(text, kernels=(ADD,))
    kernel = only_kernel(outcome)
    assert kernel.geometry is not None
    assert (kernel.symbol[:10], kernel.geometry.block) == ("_Z3addILi3", ("32",))
    notes = [each.message for each in outcome.diagnostics if each.message.code == "instance-chosen"]
    assert [note.params["others"] for note in notes] == [("`add<16>`",)]


def test_instances_that_share_their_block_are_ambiguous() -> None:
    cases = " ".join(f"case {size}: add<{size}><<<n, threads>>>(a, b, c, n); break;" for size in (64, 32))
    text = launching(MATMUL, f"int threads = n; switch (threads) {{ {cases} }}")
    said = build_cuda(text, kernels=(ADD,)).problems["add"].reason
    shown = said.params["instances"]
    assert isinstance(shown, tuple)
    assert (said.code, set(shown)) == ("kernel-instances", {"`add<64>`", "`add<32>`"})


def test_an_instance_for_the_width_of_the_block_is_taken() -> None:
    cases = " ".join(f"case {size}: add<{size}><<<n, threads>>>(a, b, c, n); break;" for size in (64, 32, 16))
    text = launching(MATMUL, f"int threads = 32; switch (threads) {{ {cases} }}")
    assert only_kernel(build_cuda(text, kernels=(ADD,))).symbol.startswith("_Z3addILi32")
    branches = (
        "dim3 block(size, size); if (size == 8) add<8><<<n, block>>>(a, a, a, n); "
        "else add<16><<<n, block>>>(a, a, a, n);"
    )
    text = MATMUL + f"void run(int size, float *a, int n) {{ {branches} }}\n"
    text += "int main() { float *a; run(8, a, 100); }\n"
    assert only_kernel(build_cuda(text, kernels=(ADD,))).symbol.startswith("_Z3addILi8")


def test_an_instance_that_main_computes_is_asked_for() -> None:
    text = launching(MATMUL, "add<unknown><<<n, 16>>>(a, b, c, n);")
    assert build_cuda(text, kernels=(ADD,)).problems["add"].reason.code == "kernel-is-template"
