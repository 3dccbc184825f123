"""Member functions of host code are left out of classes that kernels use."""

import pytest

from grader.compile.cpp_classes import class_name, host_members
from grader.compile.cpp_outline import outline
from grader.compile.tokens import tokenize
from tests.compile.examples import CUDA_KERNEL, build_cuda, only_kernel, reason, with_statement

MATRIX = """\
class Managed {
public:
    void *operator new(size_t bytes) { void *p; cudaMallocManaged(&p, bytes); return p; }
    void operator delete(void *p) { cudaFree(p); }
};
template <typename T> struct Matrix : public Managed {
    T *data; int width;
    explicit Matrix(int n) : data(0), width{n} { cudaMalloc(&data, n * sizeof(T)); }
    ~Matrix() { cudaFree(data); }
    void upload(const std::vector<T> &from);
    friend std::ostream &operator<<(std::ostream &to, const Matrix &m);
    static int count() { return 1; }
    float (*callback)(float);
    constexpr int twice() const { return 2 * width; }
    __host__ __device__ T get(int i) const { return data[i]; }
    struct Row { T *start; void print() { printf("}"); } __device__ T at(int i) { return start[i]; } };
};
"""


def names(source: str) -> list[str | None]:
    whole = outline(tuple(tokenize(source)))
    return [member.name for item in whole.items for member in host_members(item, whole.markers)]


def test_undecorated_functions_are_host_members() -> None:
    assert names(MATRIX)[:5] == ["new", "delete", "Matrix", "Matrix", "upload"]
    assert names(MATRIX)[-2:] == ["count", "print"]
    assert "callback" not in names(MATRIX)


@pytest.mark.parametrize(
    "source",
    ["enum E { A, B };", "int f(int x) { return x; }", "const int a[] = {1, 2};", "struct P { float x; } p;"],
)
def test_items_without_member_functions_have_no_host_members(source: str) -> None:
    assert names(source) == []


def test_a_class_of_both_sides_serves_a_kernel() -> None:
    kernel = "__global__ void scale(Matrix<float> *m) { m->data[0] = m->get(1); }\n"
    program = "int main() { Matrix<float> *m = new Matrix<float>(3); scale<<<1, 1>>>(m); delete m; }\n"
    only_kernel(
        build_cuda("#include <vector>\n#include <iostream>\n" + MATRIX + kernel + CUDA_KERNEL + program)
    )


def test_a_kernel_that_calls_a_host_member_is_told_which() -> None:
    text = "struct P { float x; float norm() { return x * x; } };\n" + with_statement(
        "P p; p.x = 1; out[row] = p.norm();"
    )
    assert "norm (row_sum.cu, line 1) is a host function; mark it __device__" in reason(build_cuda(text))


def test_a_kernel_that_calls_a_host_constructor_is_told_which() -> None:
    text = "struct P { float x; P(float v) : x(v) {} };\n" + with_statement("P p(sum); out[row] = p.x;")
    assert "P (row_sum.cu, line 1) is a host function; mark it __device__" in reason(build_cuda(text))


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("struct A { int x; };", "A"),
        ("template <class T> class B final : public Base<T> { T x; } b;", "B"),
        ("struct __align__(16) C { float x[4]; };", "C"),
        ("typedef struct { int x; } D;", None),
        ("const struct A a = { 1 };", None),
        ("struct A a;", None),
    ],
)
def test_a_class_is_known_by_its_name(source: str, name: str | None) -> None:
    (item,) = outline(tuple(tokenize(source))).items
    assert class_name(item) == name


def test_an_aligned_member_is_no_function() -> None:
    assert names("struct Tile { alignas(16) float held[4]; __align__(8) float2 last; };") == []
