"""Atomics of every operation and type, vector accesses of every type, and accesses of every strength of ordering."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grader.model.devices import TESLA_T4
from tests.engines.emulator.surface_kernels import complaints
from tools.emulator.compiling import InOut, Out, run_cuda

THREADS = 32
CELLS = 4

TYPES = {
    "int": np.int32,
    "unsigned": np.uint32,
    "long long": np.int64,
    "unsigned long long": np.uint64,
    "float": np.float32,
    "double": np.float64,
}
INTEGERS = ("int", "unsigned", "unsigned long long")
Update = Callable[[Any, Any], Any]
OPERATIONS: dict[str, tuple[Update, tuple[str, ...]]] = {
    "atomicAdd": (lambda old, x: old + x, (*INTEGERS, "float", "double")),
    "atomicSub": (lambda old, x: old - x, ("int", "unsigned")),
    "atomicMin": (min, (*INTEGERS, "long long")),
    "atomicMax": (max, (*INTEGERS, "long long")),
    "atomicAnd": (lambda old, x: old & x, INTEGERS),
    "atomicOr": (lambda old, x: old | x, INTEGERS),
    "atomicXor": (lambda old, x: old ^ x, INTEGERS),
    "atomicExch": (lambda _old, x: x, (*INTEGERS, "float")),
    "atomicInc": (lambda old, x: type(old)(0) if old >= x else old + type(old)(1), ("unsigned",)),
    "atomicDec": (lambda old, x: x if old == 0 or old > x else old - type(old)(1), ("unsigned",)),
}
FORMS = [(name, type_) for name, (_, types) in OPERATIONS.items() for type_ in types]


def operands(type_: str) -> tuple[np.ndarray, np.ndarray]:
    """Initial values of the cells, and each thread's operand: large and small, of both signs for signed types."""
    dtype = np.dtype(TYPES[type_])
    if dtype.kind == "f":
        return np.arange(CELLS).astype(dtype), (np.arange(THREADS) * 0.25 - 3).astype(dtype)
    bits = 8 * dtype.itemsize
    rng = np.random.default_rng(bits)
    raw = rng.integers(0, 1 << 63, THREADS + CELLS, dtype=np.uint64) * np.uint64(2)
    mixed = (raw >> np.uint64(64 - bits)).astype(f"u{dtype.itemsize}").view(dtype)
    mixed[::3] %= dtype.type(50)
    return mixed[:CELLS].copy(), mixed[CELLS:].copy()


@pytest.mark.parametrize("space", ["global", "shared"])
@pytest.mark.parametrize(("name", "type_"), FORMS)
def test_atomics_update_in_order_and_return_the_old_value(name: str, type_: str, space: str) -> None:
    cells, given = operands(type_)
    shared = space == "shared"
    source = f"""
extern "C" __global__ void run({type_}* cells, const {type_}* given, {type_}* old) {{
    __shared__ {type_} local[{CELLS}];
    int i = threadIdx.x;
    if (i < {CELLS}) local[i] = cells[i];
    __syncthreads();
    old[i] = {name}({"local" if shared else "cells"} + i % {CELLS}, given[i]);
    __syncthreads();
    {f"if (i < {CELLS}) cells[i] = local[i];" if shared else ""}
}}
"""
    dtype = TYPES[type_]
    ran = run_cuda(
        source, 1, THREADS, {"cells": InOut(cells.copy()), "given": given, "old": Out((THREADS,), dtype)}
    )
    update, _ = OPERATIONS[name]
    before = []
    with np.errstate(over="ignore"):
        for i in range(THREADS):
            before.append(cells[i % CELLS])
            cells[i % CELLS] = update(cells[i % CELLS], given[i])
    assert ran["old"].tolist() == before
    assert ran["cells"].tolist() == cells.tolist()
    assert not complaints(ran)


@pytest.mark.parametrize("type_", ["int", "unsigned", "unsigned long long"])
def test_compare_and_swap_swaps_only_what_is_equal(type_: str) -> None:
    source = f"""
extern "C" __global__ void run({type_}* cells, {type_}* old) {{
    int i = threadIdx.x;
    old[i] = atomicCAS(cells + i, ({type_})(i % 2), ({type_})(100 + i));
}}
"""
    dtype = TYPES[type_]
    cells = (np.arange(32) % 3).astype(dtype)
    ran = run_cuda(source, 1, 32, {"cells": InOut(cells), "old": Out((32,), dtype)})
    assert ran["old"].tolist() == cells.tolist()
    assert ran["cells"].tolist() == [100 + i if i % 3 == i % 2 else i % 3 for i in range(32)]


VECTORS = [
    ("char4", np.int8, 4),
    ("uchar2", np.uint8, 2),
    ("short2", np.int16, 2),
    ("ushort4", np.uint16, 4),
    ("int2", np.int32, 2),
    ("uint4", np.uint32, 4),
    ("float2", np.float32, 2),
    ("float4", np.float32, 4),
    ("longlong2", np.int64, 2),
    ("double2", np.float64, 2),
]


@pytest.mark.parametrize("load", ["x[i]", "__ldg(x + i)", "__ldcs(x + i)"])
@pytest.mark.parametrize(("vector", "element", "count"), VECTORS)
def test_vectors_of_every_type_are_loaded_and_stored(
    vector: str, element: Any, count: int, load: str
) -> None:
    source = f"""
extern "C" __global__ void run(const int* given, int* out) {{
    const {vector}* x = (const {vector}*)given;
    int i = threadIdx.x;
    {vector} v = {load};
    auto first = v.x;
    v.x = v.y + v.y;
    v.y = first;
    (({vector}*)out)[i] = v;
}}
"""
    values = (np.arange(32 * count) % 37 - 12).astype(element)
    words = values.view(np.int32)
    expected = values.reshape(32, count).copy()
    expected[:, 0], expected[:, 1] = 2 * values.reshape(32, count)[:, 1], values.reshape(32, count)[:, 0]
    ran = run_cuda(source, 1, 32, {"given": words, "out": Out(words.shape, np.int32)})
    assert ran["out"].tolist() == expected.reshape(-1).view(np.int32).tolist()


STRENGTHS = [
    ("ld.volatile.global", "st.volatile.global"),
    ("ld.relaxed.gpu.global", "st.relaxed.sys.global"),
    ("ld.acquire.gpu.global", "st.release.gpu.global"),
    ("ld.global.nc.L1::no_allocate", "st.global.cs"),
    ("ld.global.cg", "st.global.wt"),
    ("ld", "st.wb"),
]


@pytest.mark.parametrize(("load", "store"), STRENGTHS)
def test_loads_and_stores_of_every_strength_and_cache_operator(load: str, store: str) -> None:
    source = f"""
extern "C" __global__ void run(const int* x, int* out) {{
    int v;
    asm volatile("{load}.s32 %0, [%1+4];" : "=r"(v) : "l"(x + threadIdx.x));
    asm volatile("{store}.s32 [%1], %0;" : : "r"(v + 1), "l"(out + threadIdx.x) : "memory");
}}
"""
    ran = run_cuda(source, 1, 32, {"x": np.arange(33, dtype=np.int32), "out": Out((32,), np.int32)})
    assert ran["out"].tolist() == list(range(2, 34))


def test_special_registers_tell_where_a_thread_is() -> None:
    names = ("laneid", "warpid", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge")
    reads = "\n".join(
        f'asm volatile("mov.u32 %0, %{name};" : "=r"(v)); out[{row} * 64 + threadIdx.x] = v;'
        for row, name in enumerate((*names, "nwarpid", "smid", "nsmid"))
    )
    source = f'extern "C" __global__ void run(unsigned* out) {{ unsigned v; {reads} }}'
    ran = run_cuda(source, 1, 64, {"out": Out((10, 64), np.uint32)})
    lane, thread = np.arange(64) % 32, np.arange(64)
    one, whole = 1 << lane, (1 << 32) - 1
    expected = (lane, thread // 32, one, one - 1, 2 * one - 1, whole & ~(2 * one - 1), whole & ~(one - 1))
    for row, values in enumerate(expected):
        assert ran["out"][row].tolist() == values.tolist(), names[row]
    assert set(ran["out"][7]) == {TESLA_T4.max_warps_per_sm}
    assert set(ran["out"][9]) == {TESLA_T4.sm_count}
    assert (ran["out"][8] < ran["out"][9]).all()


def test_clocks_go_forward() -> None:
    source = """
extern "C" __global__ void run(long long* out) {
    unsigned long long before, after;
    long long start = clock64();
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(before));
    __nanosleep(100);
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(after));
    out[0] = clock64() - start;
    out[1] = after - before;
}
"""
    assert (run_cuda(source, 1, 1, {"out": Out((2,), np.int64)})["out"] > 0).all()


def test_shared_memory_keeps_the_alignment_that_is_asked_for() -> None:
    source = """
extern __shared__ __align__(16) float dynamic[];
extern "C" __global__ void run(int* out) {
    __shared__ char one;
    __shared__ __align__(128) char aligned[3];
    __shared__ double wide;
    one = 1; aligned[2] = 2; wide = 3; dynamic[4] = 4;
    out[0] = (int)((size_t)__cvta_generic_to_shared(aligned) % 128);
    out[1] = (int)((size_t)__cvta_generic_to_shared(&wide) % 8);
    out[2] = (int)((size_t)__cvta_generic_to_shared(dynamic) % 16);
    out[3] = one + aligned[2] + (int)wide + (int)dynamic[4];
}
"""
    assert run_cuda(source, 1, 1, {"out": Out((4,), np.int32)}, shared=64)["out"].tolist() == [0, 0, 0, 10]
