"""Removal of host code from a file."""

from grader.compile.cpp_outline import outline
from grader.compile.host_code import device_part
from grader.compile.tokens import tokenize
from tests.compile.examples import stripped


def host_names(source: str) -> list[str | None]:
    return [item.name for item in device_part(source, outline(tuple(tokenize(source)))).host_functions]


PROGRAM = """\
#include <stdio.h>
#define DEVICE __device__ __forceinline__
struct Point { float x; };
template <typename T> __global__ void kernel(T *a) { a[0] = 1; }
DEVICE float twice(float x) { return 2 * x; }
__host__ __device__ int both(int x) { return x; }
void check(int error, const char *where);
static void fill(float *a, int n)
{
    for (int i = 0; i < n; i++) { a[i] = '{'; } /* } */
}
extern "C" void launch(float *a) { kernel<<<1, 1>>>(a); }
extern "C" {
    void wrapped() { }
    __global__ void kept(float *a) { }
}
namespace tools { int helper() { return 1; } }
int main(int argc, char **argv)
{
#ifdef VERBOSE
    printf("}");
#endif
    return 0;
}
__constant__ float table[4] = {1, 2, 3, 4};
"""


def test_host_functions_go_and_device_code_stays() -> None:
    assert host_names(PROGRAM) == ["fill", "launch", "wrapped", "helper", "main"]
    text = stripped(PROGRAM)
    for kept in (
        "struct Point",
        "void kernel(",
        "twice",
        "both",
        "kept",
        "table[4] = {1, 2, 3, 4};",
        "#define DEVICE",
    ):
        assert kept in text
    for gone in ("check", "printf", "fill", "launch", "argc", "helper"):
        assert gone not in text


def test_every_line_and_column_stays_where_it_was() -> None:
    text = stripped(PROGRAM)
    assert len(text) == len(PROGRAM)
    assert [len(line) for line in text.split("\n")] == [len(line) for line in PROGRAM.split("\n")]


def test_conditionals_inside_host_code_stay_balanced() -> None:
    text = stripped(PROGRAM)
    assert text.count("#ifdef") == text.count("#endif") == 1


def test_a_function_split_by_a_conditional_is_still_one_function() -> None:
    source = "#ifdef A\nint main() {\n#else\nint main(void) {\n#endif\n}\n__global__ void k() { }\n"
    assert host_names(source) == ["main"]
    assert "__global__ void k() { }" in stripped(source)


def test_code_that_is_switched_off_does_not_count() -> None:
    source = "#if 0\nvoid f() {\n#endif\n__global__ void k() { }\n"
    assert "__global__ void k() { }" in stripped(source)


def test_a_constexpr_function_may_be_used_by_kernels() -> None:
    text = stripped("template <int N> constexpr int twice(int x) { return N * x; }")
    assert text.startswith("template <int N> __host__ __device__ constexpr int twice")


def test_a_device_lambda_leaves_its_host_function_host_code() -> None:
    assert host_names("void f() { auto g = [] __device__ (int x) { return x; }; }") == ["f"]


def test_line_directives_are_blanked() -> None:
    assert stripped('#line 7 "x"\n# 7 "y"\nint a;') == " " * 11 + "\n" + " " * 7 + "\nint a;"


def test_an_overridden_macro_loses_its_definition_only() -> None:
    source = "#ifndef TILE\n#define TILE 16\n#endif\n#define OTHER 2\n"
    text = stripped(source, overridden=frozenset({"TILE"}))
    assert "define TILE" not in text
    assert "#ifndef TILE" in text
    assert "#define OTHER 2" in text


def test_a_brace_that_is_never_closed_is_known() -> None:
    source = "__global__ void k()\n{\n if (1) {\n}\n"
    unclosed = outline(tuple(tokenize(source))).unclosed
    assert unclosed is not None
    assert unclosed.line == 2
    assert outline(tuple(tokenize(PROGRAM))).unclosed is None
