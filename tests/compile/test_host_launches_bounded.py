"""No host code makes its reader fail, or slow."""

import ast
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.compile.cpp_outline import outline
from grader.compile.host_launches.c_program import read_cuda_c
from grader.compile.host_launches.choice import choose
from grader.compile.host_launches.geometry_text import LaunchTarget
from grader.compile.host_launches.python_program import read_python
from grader.compile.host_launches.values import HostFacts
from grader.compile.tokens import tokenize
from grader.model.kernel import Param

PARAMETERS = tuple(map(Param.parse, ("const float32 a[n]", "float32 c[n]", "int32 n")))
TARGET = LaunchTarget(parameters=PARAMETERS, sizes=frozenset({"n"}), constants={"T": 256})
SECONDS = 10

C_PIECES = st.sampled_from(
    [
        *"{}()[];,=+-*/%<>&|^!~?:.#\n",
        *("<<<", ">>>", "<<", ">>", "->", "::", "int ", "float ", "dim3 ", "auto ", "void ", "const "),
        *("if ", "else ", "for ", "while ", "do ", "switch ", "case ", "return ", "try ", "catch "),
        *("n", "t", "b", "k", "main", "f", "T", " x", " y", "0", "1", "2.5f", "1e99", "0x", "256", "'", '"'),
        *("#define ", "\n#define f(x) f(x x)\n", "template <int T> ", "struct S ", "sizeof", "ceil", "min"),
        *("k<<<b, t>>>(a, c, n);", "int main() {", "void f(int n) {", "f(n);", "cudaMemcpyToSymbol(s, "),
        *("cudaLaunchKernel(", "cudaLaunchKernelEx(", "[&](int b) {", "block.x = ", "*t = 1;", "&n", "++"),
    ]
)
PYTHON_PIECES = st.sampled_from(
    [
        *(
            "n = 5",
            "b, t = 1, 2",
            "b += t",
            "k[b, t](a, c, n)",
            "k[n](a)",
            "k[()](a)",
            "k.forall(n)(a, c, n)",
        ),
        *("t = k[b, t]", "t(a)", "n = a.shape", "n, b = a.shape", "b = -n // 0", "b = 2 ** 999", "n = 1e999"),
        *("b = n << n", "t = [*a]", "b = {}[n]", "import k as f", "from m import k as f", "f[1, 2](a, c, n)"),
        *(
            "return n",
            "b = f(n, t=b)",
            "t = (t, t, t, t)",
            "b = len(b)",
            "t = t[9]",
            "b = not n",
            "b = n < t < 1",
        ),
    ]
)


def chosen(facts: HostFacts) -> None:
    choose("k", facts.launches_of("k"), TARGET, "//")


def cuda_c(text: str) -> HostFacts:
    return read_cuda_c({"k.cu": outline(tuple(tokenize(text)))})


def python(text: str) -> HostFacts:
    return read_python({"k.py": ast.parse(text).body})


@given(st.lists(C_PIECES, max_size=120))
def test_no_host_code_in_cuda_c_makes_the_reader_fail(pieces: list[str]) -> None:
    chosen(cuda_c("int main() {" + "".join(pieces)))


@given(st.text(max_size=300))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    chosen(cuda_c(text))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["", "if n:", "for b in [1, 2]:", "while t:", "def f(n, t=1):", "with a:", "class A:"]
            ),
            PYTHON_PIECES,
        ),
        max_size=30,
    )
)
def test_no_host_code_in_python_makes_the_reader_fail(lines: list[tuple[str, str]]) -> None:
    text = ""
    for block, line in lines:
        text += f"{block}\n    {line}\n" if block else f"{line}\n"
    chosen(python(text if "return" not in text else f"def f():\n    pass\n{text.replace('return n', 'n')}"))


LAUNCH = "k<<<x, x>>>(a, c, n);"
HOSTILE: list[tuple[str, Callable[[str], HostFacts], str]] = [
    ("doubling", cuda_c, "int main() { int x = n;" + "x = x + x;" * 5000 + LAUNCH + "}"),
    ("squaring", cuda_c, "int main() { int x = 9999;" + "x = x * x;" * 5000 + LAUNCH + "}"),
    ("fractions", cuda_c, "int main() { float x = 1e-99;" + "x = x * 1e-99f / 3;" * 5000 + LAUNCH + "}"),
    (
        "nested parentheses",
        cuda_c,
        "int main() { int x = " + "(" * 50_000 + "1" + ")" * 50_000 + ";" + LAUNCH + "}",
    ),
    ("nested blocks", cuda_c, "int main() " + "{" * 20_000 + LAUNCH + "}" * 20_000),
    ("nested branches", cuda_c, "int main() {" + "if (n) " * 20_000 + LAUNCH + "}"),
    ("many branches", cuda_c, "int main() { int x = 1;" + "if (n > x) x = x + n;" * 3000 + LAUNCH + "}"),
    (
        "recursion",
        cuda_c,
        "int f(int n) { return f(n) + f(n + 1); } int main() { int x = f(1);" + LAUNCH + "}",
    ),
    (
        "calls that double",
        cuda_c,
        "".join(f"int f{i}(int n) {{ return f{i + 1}(n) + f{i + 1}(n); }}\n" for i in range(60))
        + "int main() { int x = f0(1);"
        + LAUNCH
        + "}",
    ),
    (
        "macros that double",
        cuda_c,
        "".join(f"#define M{i}(x) M{i + 1}(x x x) M{i + 1}(x)\n" for i in range(30))
        + "int main() { int x = M0(1);"
        + LAUNCH
        + "}",
    ),
    (
        "a macro of itself",
        cuda_c,
        "#define A (B + 1)\n#define B (A + 1)\nint main() { int x = A;" + LAUNCH + "}",
    ),
    ("shifts", cuda_c, "int main() { long x = 1 << 999999999; x = x << 40 << 40 << 40;" + LAUNCH + "}"),
    ("many launches", cuda_c, "int main() { int x = 1;" + LAUNCH * 20_000 + "}"),
    ("nested lambdas", cuda_c, "int main() { int x = 1;" + "[&] {" * 5000 + LAUNCH + "};" * 5000 + "}"),
    ("many names", cuda_c, "int main() {" + "".join(f"int x{i} = {i};" for i in range(20_000)) + "}"),
    ("doubling in Python", python, "x = n\n" + "x = x + x\n" * 5000 + "k[x, x](a, c, n)\n"),
    ("powers", python, "x = 9\n" + "x = x ** 60\n" * 500 + "k[x, x](a, c, n)\n"),
    ("long sums", python, "x = " + "n + " * 900 + "1\nk[x, x](a, c, n)\n"),
    ("recursion in Python", python, "def f(n):\n    return f(n) + f(n)\nk[f(1), f(2)](a, c, n)\n"),
    (
        "calls that double in Python",
        python,
        "".join(f"def f{i}(n):\n    return f{i + 1}(n) + f{i + 1}(n)\n" for i in range(60))
        + "k[f0(1), 1](a, c, 1)\n",
    ),
]


@pytest.mark.parametrize(
    ("read", "text"), [(read, text) for _, read, text in HOSTILE], ids=[n for n, _, _ in HOSTILE]
)
def test_hostile_host_code_takes_bounded_time(read: Callable[[str], HostFacts], text: str) -> None:
    start = time.process_time()
    chosen(read(text))
    assert time.process_time() - start < SECONDS
