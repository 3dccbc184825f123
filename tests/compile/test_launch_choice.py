"""Which of several launches of a kernel is used, and what is said about it."""

from dataclasses import replace

import pytest

from grader.compile.cpp_outline import outline
from grader.compile.host_launches.c_program import read_cuda_c
from grader.compile.host_launches.choice import HostChoice, choose
from grader.compile.host_launches.geometry_text import LaunchTarget
from grader.compile.tokens import tokenize
from grader.model.kernel import Param
from grader.model.plan import Geometry

PARAMETERS = tuple(map(Param.parse, ("const float32 a[n]", "float32 c[n]", "int32 n")))
TARGET = LaunchTarget(
    parameters=PARAMETERS,
    sizes=frozenset({"n"}),
    default=Geometry(grid=("ceil(n / block_x)",), block=("128",)),
)


def chosen(statements: str, target: LaunchTarget = TARGET) -> HostChoice:
    text = f"int main() {{ float *a, *c; int n = 1000;\n{statements}\n}}"
    facts = read_cuda_c({"k.cu": outline(tuple(tokenize(text)))})
    return choose("k", facts.launches_of("k"), target, "//")


def codes(choice: HostChoice) -> list[str]:
    return [each.message.code for each in choice.diagnostics]


@pytest.mark.parametrize(
    ("statements", "geometry", "said"),
    [
        ("k<<<(n + 63) / 64, 64>>>(a, c, n);\n" * 3, "block=64 grid=(n + 63) // 64", []),
        (
            "k<<<1, 64>>>(a, c, n);\nk<<<(n + 63) / 64, 64>>>(a, c, n);",
            "block=64 grid=(n + 63) // 64",
            [],
        ),
        (
            "k<<<(n + 31) / 32, 32>>>(a, c, n);\nk<<<(n + 63) / 64, 64>>>(a, c, n);",
            "block=64 grid=(n + 63) // 64",
            ["launches-differ"],
        ),
        ("k<<<1, 32>>>(a, c, n);\nk<<<2, 64>>>(a, c, n);", "block=64 grid=2", ["launches-differ"]),
        (
            "for (int t = 32; t <= 1024; t *= 2)\nk<<<(n + t - 1) / t, t>>>(a, c, n);",
            "block=32 grid=(n + 32 - 1) // 32",
            ["launch-in-loop"],
        ),
        (
            "k<<<(n + 63) / 64, 64>>>(a, c, n);\nfor (int t = 32; t < n; t *= 2) k<<<n / t, t>>>(a, c, n);",
            "block=64 grid=(n + 63) // 64",
            [],
        ),
        ("k<<<(n + 63) / 64, 64>>>(a, c, n);\nk<<<f(), 64>>>(a, c, n);", "block=64 grid=(n + 63) // 64", []),
    ],
)
def test_one_geometry_is_chosen(statements: str, geometry: str, said: list[str]) -> None:
    choice = chosen(statements)
    assert str(choice.geometry) == geometry
    assert codes(choice) == said
    assert choice.unread is None


def test_the_line_of_the_chosen_launch_is_kept() -> None:
    choice = chosen("k<<<1, 64>>>(a, c, n);\n\nk<<<(n + 63) / 64, 64>>>(a, c, n);")
    assert choice.origin is not None
    assert (choice.origin.location.file, choice.origin.location.line) == ("k.cu", 4)
    assert choice.origin.sizes == {"n": 1000}


@pytest.mark.parametrize(
    ("statement", "text", "directive"),
    [
        ("k<<<blocks(), 64>>>(a, c, n);", "blocks()", "// launch: k block=64 grid=ceil(n / block_x)"),
        ("k<<<1, best()>>>(a, c, n);", "best()", "// launch: k block=128 grid=ceil(n / block_x)"),
        ("k<<<1, 32, bytes>>>(a, c, n);", "bytes", "// launch: k block=32 grid=ceil(n / block_x)"),
    ],
)
def test_an_unreadable_launch_is_said_with_a_line(statement: str, text: str, directive: str) -> None:
    choice = chosen(statement)
    assert choice.geometry is None
    assert choice.unread is not None
    assert choice.unread.params["directive"] == directive
    (problem,) = choice.unread.nested()
    assert problem.params["text"] == text


def test_no_launch_chooses_nothing() -> None:
    assert chosen("") == HostChoice()


def test_named_constants_stay_names_of_a_sweep() -> None:
    text = "#define T 64\nint main() { int n = 9; k<<<(n + T - 1) / T, T>>>(0, 0, n); }"
    facts = read_cuda_c({"k.cu": outline(tuple(tokenize(text)))})
    choice = choose("k", facts.launches_of("k"), replace(TARGET, constants={"T": 16}), "//")
    assert choice.geometry is not None
    # A sweep compiles the file with another value than it has, so the name must not lose to the number.
    assert choice.geometry.block == ("T",)
    assert choice.geometry.constants == {"T": 16}


def test_several_files_are_one_program() -> None:
    files = {
        "k.cuh": "#define T 64\ninline int cdiv(int a, int b) { return (a + b - 1) / b; }",
        "main.cu": "int main() { int n = 9; k<<<cdiv(n, T), T>>>(0, 0, n); }",
    }
    facts = read_cuda_c({name: outline(tuple(tokenize(text))) for name, text in files.items()})
    choice = choose("k", facts.launches_of("k"), TARGET, "//")
    assert str(choice.geometry) == "block=64 grid=(n + 64 - 1) // 64"
    assert choice.origin is not None
    assert choice.origin.location.file == "main.cu"


@pytest.mark.parametrize(
    ("statements", "constants", "geometry"),
    [
        (
            "const int block = 8; k<<<(n + block - 1) / block, dim3(block, block)>>>(a, c, n);",
            {"block": 8},
            "block=8,8 grid=(n + 8 - 1) // 8",
        ),
        (
            "const int t = 8; k<<<(n + t - 1) / t, t>>>(a, c, n);",
            {"t": 8},
            "block=t grid=(n + t - 1) // t",
        ),
        ("{ int t = 4; k<<<1, t>>>(a, c, n); }", {"t": 8}, "block=4 grid=1"),
        ("const int N = 999; k<<<N / 64, 64>>>(a, c);", {"N": 999}, "block=64 grid=n // 64"),
    ],
)
def test_a_named_integer_keeps_its_own_value(
    statements: str, constants: dict[str, int], geometry: str
) -> None:
    assert str(chosen(statements, replace(TARGET, constants=constants)).geometry) == geometry
