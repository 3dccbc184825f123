"""Function pointers, virtual functions, structures by value, recursion, and variables that hold addresses."""

import numpy as np

from grader.engines.emulator.decode.stack import RECURSION_DEPTH, Needs, stack_bytes
from grader.model.diagnostic import DiagnosticKind
from grader.model.verdict import Verdict
from tools.emulator.compiling import Argument, Out, line_of, run_cuda
from tools.messages import english

I32 = np.int32


def test_a_table_of_functions_is_called_through_its_pointers() -> None:
    source = """
typedef int (*Operation)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
__device__ Operation table[3] = {plus, minus, times};
__constant__ Operation fixed[2] = {times, plus};
extern "C" __global__ void apply(const int* which, int* out) {
    int i = threadIdx.x;
    out[i] = table[which[i]](i, 3) + 1000 * fixed[i & 1](i, 2);
}
"""
    which = (np.arange(64) % 3).astype(I32)
    ran = run_cuda(source, 1, 64, {"which": which, "out": Out((64,), I32)})
    first = [lambda i: i + 3, lambda i: i - 3, lambda i: i * 3]
    second = [lambda i: i * 2, lambda i: i + 2]
    assert ran["out"].tolist() == [first[i % 3](i) + 1000 * second[i & 1](i) for i in range(64)]
    assert not ran.result.diagnostics


def test_a_function_pointer_is_an_argument() -> None:
    source = """
__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }
__device__ __noinline__ float sum(float (*f)(float), int n) {
    float s = 0;
    for (int i = 0; i < n; ++i) s += f((float)i);
    return s;
}
extern "C" __global__ void apply(float* out, int n) {
    out[threadIdx.x] = threadIdx.x % 2 ? sum(twice, n) : sum(square, n);
}
"""
    ran = run_cuda(source, 1, 32, {"out": Out((32,)), "n": 5})
    assert ran["out"].tolist() == [30.0, 20.0] * 16


def test_a_call_through_a_null_pointer_is_a_crash_with_its_line() -> None:
    source = """
typedef void (*Action)(int*);
__device__ void one(int* x) { *x = 1; }
__device__ Action actions[2] = {one, nullptr};
extern "C" __global__ void act(int* out, int which) {
    actions[which](out);  // here
}
"""
    assert run_cuda(source, 1, 1, {"out": Out((1,), I32), "which": 0})["out"].tolist() == [1]
    ran = run_cuda(source, 1, 1, {"out": Out((1,), I32), "which": 1})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.CRASHED
    assert f"line {line_of(source, '// here')}" in english(ran.fault.reason)


def test_a_function_of_another_type_is_not_called() -> None:
    source = """
typedef int (*Small)(int);
__device__ int wide(long long a, long long b, int c) { return (int)(a + b) + c; }
__device__ int narrow(int a) { return a; }
extern "C" __global__ void act(int* out, int which) {
    Small call = which ? (Small)(void*)wide : narrow;
    out[0] = call(5);
}
"""
    assert run_cuda(source, 1, 1, {"out": Out((1,), I32), "which": 0})["out"].tolist() == [5]
    assert run_cuda(source, 1, 1, {"out": Out((1,), I32), "which": 1}).fault is not None


def test_structures_are_passed_and_returned_by_value() -> None:
    source = """
struct Body { int id; double mass; float position[3]; char tag; };
__device__ __noinline__ Body moved(Body b, float dx) {
    b.id += 1; b.mass *= 2; b.position[1] += dx; b.tag = 'x';
    return b;
}
extern "C" __global__ void move(double* out) {
    Body b = {(int)threadIdx.x, 1.5, {1, 2, 3}, 'a'};
    Body c = moved(moved(b, 0.5f), 0.25f);
    out[threadIdx.x] = c.id + 100 * c.mass + 1000 * c.position[1] + (c.tag == 'x') + (b.tag == 'a');
}
"""
    ran = run_cuda(source, 1, 32, {"out": Out((32,), np.float64)})
    assert ran["out"].tolist() == [i + 2 + 600.0 + 2750.0 + 2 for i in range(32)]


RECURSIVE = """
__device__ __noinline__ int depth(int n, const int* more) {
    if (n == 0) return more[0];
    return 1 + depth(n - 1, more);  // deeper
}
extern "C" __global__ void dive(const int* more, int* out, int n) {
    out[threadIdx.x] = depth(threadIdx.x < 3 ? n : 1, more);
}
"""


def test_recursion_overflows_beyond_the_stated_depth() -> None:
    more = np.zeros(1, I32)
    arguments: dict[str, Argument] = {"more": more, "out": Out((32,), I32)}
    ran = run_cuda(RECURSIVE, 1, 32, {**arguments, "n": RECURSION_DEPTH - 1})
    assert ran["out"].tolist() == [RECURSION_DEPTH - 1] * 3 + [1] * 29
    ran = run_cuda(RECURSIVE, 1, 32, {**arguments, "n": RECURSION_DEPTH})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.CRASHED
    (found,) = ran.found(DiagnosticKind.STACK_OVERFLOW)
    assert found.line == line_of(RECURSIVE, "// deeper")
    assert "thread (0,0,0)" in english(found.message)


def test_mutual_recursion_needs_the_stack_of_all_functions() -> None:
    functions = {
        "kernel": Needs(100, 16, ("even", "leaf")),
        "even": Needs(10, 8, ("odd", "leaf")),
        "odd": Needs(20, 8, ("even",)),
        "leaf": Needs(5, 400),
    }
    assert stack_bytes(functions, "kernel") == (
        100 + 30 * RECURSION_DEPTH + 5,
        16 + 16 * RECURSION_DEPTH + 400,
    )


def test_many_mutually_recursive_functions_are_laid_out_fast() -> None:
    names = tuple(f"f{index}" for index in range(60))
    functions = {name: Needs(64, 0, names) for name in names}
    assert stack_bytes(functions, "f0") == (60 * 64 * RECURSION_DEPTH, 0)


def test_variables_may_hold_the_addresses_of_others() -> None:
    source = """
__device__ int numbers[6] = {10, 20, 30, 40, 50, 60};
__device__ int* middle = numbers + 3;
__constant__ int* const both[2] = {&numbers[1], numbers};
struct Node { int value; const Node* next; };
__device__ const Node last = {3, nullptr};
__device__ const Node second = {2, &last};
__device__ const Node first = {1, &second};
__device__ const char* const words[2] = {"one", "three"};
extern "C" __global__ void follow(int* out, int n) {
    int sum = 0;
    for (const Node* node = &first; node; node = node->next) sum = sum * 10 + node->value;
    out[0] = *middle; out[1] = both[n][0]; out[2] = sum; out[3] = words[n][4];
}
"""
    ran = run_cuda(source, 1, 1, {"out": Out((4,), I32), "n": 1})
    assert ran["out"].tolist() == [40, 10, 123, ord("e")]


def test_a_structure_with_pointers_and_numbers_is_initialised() -> None:
    source = """
__device__ float data[4] = {1.5f, 2.5f, 3.5f, 4.5f};
struct Table { char kind; short rows; float* at; float scale; };
__device__ Table table = {'k', -3, data + 2, 0.5f};
extern "C" __global__ void look(float* out, int n) {
    table.scale += n;
    out[0] = table.kind; out[1] = table.rows; out[2] = *table.at; out[3] = table.scale;
}
"""
    ran = run_cuda(source, 1, 1, {"out": Out((4,)), "n": 1})
    assert ran["out"].tolist() == [float(ord("k")), -3.0, 3.5, 1.5]
