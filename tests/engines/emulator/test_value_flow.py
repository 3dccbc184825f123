"""What becomes of a loaded value, and what a stored one is made of, found in the code of a kernel."""

import re

import pytest

from grader.engines.emulator.core.codes import Flow, Op
from grader.engines.emulator.decode.linker import link
from grader.engines.emulator.decode.program import Program
from grader.engines.emulator.decode.value_flow import flow_of
from grader.engines.emulator.ptx.parser import parse
from tools.emulator.compiling import CUDA_FILE, line_of, ptx_of


def program(source: str) -> Program:
    name = re.search(r"__global__ void (\w+)", source)
    assert name is not None
    return link(parse(ptx_of(source), {CUDA_FILE}), name[1])


def flow_at(source: str, mark: str, *ops: Op) -> Flow:
    """The flow of the loads, stores or atomics in the line with ``mark``."""
    linked, line = program(source), line_of(source, mark)
    flow = flow_of(linked)
    found = Flow.NONE
    for pc, location in enumerate(linked.locations):
        if location is not None and location.line == line and linked.code["op"][pc] in ops:
            found |= Flow(int(flow[pc]))
    return found


def kernel(body: str, before: str = "") -> str:
    return (
        f"{before}\n"
        'extern "C" __global__ void k(const float *x, float *out, int n) {\n'
        f"    __shared__ float s[64]; int t = threadIdx.x;\n{body}\n}}\n"
    )


NOINLINE = "__device__ __noinline__ float twice(float v) { return v + v; }"

THROUGH = [
    ("s[t] = x[t]; // load", ""),
    ("s[t] = 3.0f * x[t] + 1.0f; // load", ""),
    ("float4 v = ((const float4 *)x)[t]; // load\n    s[t] = v.x + v.w;", ""),
    ("float v = x[t]; // load\n    v = __shfl_xor_sync(~0u, v, 1); s[t] = v;", ""),
    ("float v[9]; for (int i = 0; i < n; ++i) v[i] = x[i * 64 + t]; // load\n    s[t] = v[n - 1];", ""),
    ("s[t] = twice(x[t]); // load", NOINLINE),
    ("float v = x[t]; // load\n    atomicAdd(&s[t], v);", ""),
    ("int v = x[t]; // load\n    atomicAdd(&s[v & 63], 1.0f);", ""),
    ("float *to = n > 5 ? s : out;\n    to[t] = x[t]; // load", ""),
]


@pytest.mark.parametrize(("body", "before"), THROUGH)
def test_a_load_for_shared_memory_is_staged(body: str, before: str) -> None:
    source = kernel(f"{body}\n    __syncthreads(); out[t] = s[t ^ 1]; // store", before)
    assert flow_at(source, "// load", Op.LOAD) & Flow.STAGED
    assert flow_at(source, "// store", Op.STORE) & Flow.RECEIVES
    assert flow_at(source, "// store", Op.LOAD) & Flow.DELIVERS


def test_a_load_past_shared_memory_is_direct() -> None:
    source = kernel("s[t] = t; __syncthreads(); out[t] = x[t] // load\n    + s[t ^ 1];")
    assert flow_at(source, "// load", Op.LOAD) == Flow.DIRECT


def test_a_load_of_an_index_is_direct() -> None:
    assert flow_at(kernel("int i = x[t]; // load\n    out[t] = x[i];"), "// load", Op.LOAD) == Flow.DIRECT


def test_a_load_that_no_result_needs_goes_nowhere() -> None:
    source = kernel("((volatile const float *)x)[t]; // load\n    out[t] = t;")
    assert flow_at(source, "// load", Op.LOAD) == Flow.NONE


def test_a_store_of_what_is_not_loaded_stages_nothing() -> None:
    source = kernel("s[t] = t; // store\n    __syncthreads(); out[t] = x[t] + s[t ^ 1];")
    assert flow_at(source, "// store", Op.STORE) == Flow.NONE


def test_a_store_in_a_kernel_without_loads_stages_what_it_computes() -> None:
    source = kernel("s[t] = t * n; // store\n    __syncthreads(); out[t] = s[t ^ 1];")
    assert flow_at(source, "// store", Op.STORE) == Flow.STAGES


def test_shared_memory_that_only_feeds_itself_delivers_nothing() -> None:
    source = kernel(
        "((volatile float *)s)[t] = x[t]; __syncthreads();\n"
        "    ((volatile float *)s)[t] = ((volatile float *)s)[t ^ 1]; // copy\n    out[t] = t;"
    )
    assert flow_at(source, "// copy", Op.LOAD) == Flow.NONE
