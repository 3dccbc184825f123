"""Invalid programs and launches are rejected with a reason."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.decode.linker import link
from grader.engines.emulator.decode.program import Program, UnsupportedError
from grader.engines.emulator.decode.validate import RULES, validated
from grader.engines.emulator.decode.variables import MAX_SHARED_ARRAYS
from grader.engines.emulator.launch import MAX_BLOCKS
from grader.engines.emulator.ptx.parser import parse
from grader.model.diagnostic import DiagnosticKind
from grader.model.plan import Dim3
from grader.model.run import RunOptions
from grader.model.verdict import Verdict
from tools.emulator.compiling import CUDA_FILE, Argument, InOut, Out, Scratch, ptx_of, run_cuda, run_ptx
from tools.emulator.kernels import ROW_SUM_SHARED
from tools.messages import codes, english, params

SECONDS_OF_A_SEARCH = 6.0
"""CPU time of a launch with blocks that exchange data thousands of times; its searches are bounded."""

KERNEL = ".version 8.0\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n"

HUGE = {
    "offset in an address": "ld.global.u32 %r1, [%rd1+9223372036854775808]; ret;",
    "local array": ".local .b8 x[600000]; st.local.u32 [x], 0; ret;",
    "alignment": ".local .b8 y[8]; .local .align 1000000000 .b8 x[8]; st.local.u32 [y], 0; ret;",
    "shared array": ".shared .b8 x[99999999]; st.shared.u32 [x], 0; ret;",
    "number of shared arrays": "".join(f".shared .b8 x{i};" for i in range(MAX_SHARED_ARRAYS + 1)) + "ret;",
    "number of registers": "".join(f".reg .b64 a{i}; mov.u64 a{i}, 0;" for i in range(70_000)) + "ret;",
    "digits": f"mov.u32 %r1, {'9' * 5000}; ret;",
}


@pytest.mark.parametrize("body", HUGE.values(), ids=HUGE)
def test_what_is_too_large_is_not_gradable(body: str) -> None:
    ran = run_ptx(KERNEL + body + "\n}", "k", 1, 32, {"out": Out((32,))})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.NOT_GRADABLE
    assert len(english(ran.fault.reason)) < 300


def test_variables_that_fill_the_memory_are_not_gradable() -> None:
    text = "".join(f".global .b8 v{i}[500000000];\n" for i in range(3)) + KERNEL
    text += "mov.u64 %rd1, v0; mov.u64 %rd2, v1; mov.u64 %rd3, v2; ret; }"
    ran = run_ptx(text, "k", 1, 32, {"out": Out((32,))})
    assert ran.fault is not None
    assert params(ran.fault.reason, "too-large-variables")["bytes"] == 1_500_000_000


@pytest.mark.parametrize("grid", [Dim3(x=2**31 - 1), Dim3(x=MAX_BLOCKS, y=2)])
def test_a_grid_that_could_never_end_is_over_the_limit(grid: Dim3) -> None:
    ran = run_ptx(KERNEL + "ret; }", "k", grid, 32, {"out": Out((32,))})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.OVER_THE_LIMIT
    assert params(ran.fault.reason, "too-many-blocks") == {"blocks": grid.size, "most": MAX_BLOCKS}
    assert [found.kind for found in ran.result.diagnostics] == [DiagnosticKind.UNSUPPORTED]


UNENDING = {
    "printing": 'for (int i = 0; i < n; ++i) printf("%d\\n", i); out[0] = n;',
    "the heap": "for (int i = 0; i < n; ++i) { char* p = (char*)malloc(16); p[0] = i; out[0] += p[0]; free(p); }",
    "accesses": "__shared__ int s[999]; for (int i = 0; i < n; ++i) { s[i % 999] = i; out[t * i % 999] += s[t]; }",
}


@pytest.mark.parametrize("diagnostics", [False, True])
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("name", UNENDING)
def test_an_unending_kernel_times_out(name: str, cores: int, *, diagnostics: bool) -> None:
    source = (
        'extern "C" int printf(const char*, ...);\n'
        f'extern "C" __global__ void k(int* out, int n) {{ unsigned t = threadIdx.x; {UNENDING[name]} }}'
    )
    options = RunOptions(timeout=0.3, max_steps=10**12, diagnostics=diagnostics, cores=cores)
    arguments: dict[str, Argument] = {"out": Out((999,), np.int32), "n": 10**9}
    ptx = ptx_of(source)
    ran = run_ptx(ptx, "k", 4, 64, arguments, options=options)
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.TIMED_OUT
    assert params(ran.fault.reason, "out-of-time")["seconds"] == 0.3


@pytest.mark.parametrize("text", ["", "\0\1\2", "{", "}", ".version 8.0 .entry k(", "a b c", "x:"])
def test_what_is_no_ptx_is_not_gradable(text: str) -> None:
    ran = run_ptx(text, "k", 1, 32, {"out": Out((32,))})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.NOT_GRADABLE
    assert "unsupported" in codes(ran.fault.reason)


def test_every_operation_has_a_rule() -> None:
    assert RULES.keys() == set(Op)


@pytest.fixture(scope="module")
def program() -> Program:
    return link(parse(ptx_of(ROW_SUM_SHARED), (CUDA_FILE,)), "row_sum")


def _first(op: Op) -> Callable[[Program], int]:
    return lambda program: int(np.flatnonzero(program.code["op"] == op)[0])


SLIPS: dict[str, tuple[Callable[[Program], int], str, int]] = {
    "a jump behind the code": (_first(Op.BRANCH), "target", 1 << 20),
    "a jump before the code": (_first(Op.BRANCH), "target", -1),
    "a row behind the frame": (_first(Op.LOAD), "d", 1 << 20),
    "a row before the frame": (_first(Op.LOAD), "d", -64),
    "a row between rows": (_first(Op.LOAD), "d", 1),
    "a constant that is not there": (_first(Op.STORE), "b", ~(1 << 20)),
    "a guard behind the frame": (_first(Op.BRANCH), "guard", 1 << 20),
    "an element of three bytes": (_first(Op.LOAD), "width", 3),
    "a register of one byte": (_first(Op.STORE), "cell", 1),
    "a vector of three": (_first(Op.LOAD), "count", 3),
    "an address of 16 bits": (_first(Op.LOAD), "address_bits", 16),
    "an unknown reduction": (_first(Op.BARRIER), "function", 9),
    "an unknown operation": (_first(Op.BARRIER), "op", 1000),
    "a micro-operation's result behind the frame": (lambda _program: 0, "d", 1 << 20),
    "a micro-operation's operand behind the constants": (lambda _program: 0, "a", ~(1 << 20)),
}
"""An instruction, one of its fields, and a value that the field must never have."""


@pytest.mark.parametrize("slip", SLIPS)
def test_a_decoders_slip_is_refused_before_it_runs(program: Program, slip: str) -> None:
    find, name, value = SLIPS[slip]
    code = program.code.copy()
    code[find(program)][name] = value
    assert validated(program) is program
    with pytest.raises(UnsupportedError):
        validated(replace(program, code=code))


@pytest.mark.parametrize("space", ["local", "shared"])
def test_addresses_just_below_and_at_zero_are_out_of_bounds(space: str) -> None:
    body = (
        f".{space} .align 16 .b8 x[64]; mov.u32 %r1, x; mov.u32 %r2, %tid.x; mul.lo.s32 %r3, %r2, -4;"
        f" cvt.s64.s32 %rd1, %r3; st.{space}.u32 [%rd1], 5; ret; }}"
    )
    ran = run_ptx(KERNEL + body, "k", 1, 2, {"out": Out((32,))})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.CRASHED
    (found,) = ran.found(DiagnosticKind.OUT_OF_BOUNDS)
    assert found.threads == 1


def test_atomic_passes_count_when_the_last_lane_is_invalid() -> None:
    source = """
extern "C" __global__ void k(int* out) { atomicAdd(&out[threadIdx.x < 31 ? 0 : 100000], 1); }
"""
    ran = run_ptx(ptx_of(source), "k", 1, 32, {"out": Out((32,), np.int32)})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.CRASHED
    (met,) = ran.found(DiagnosticKind.ATOMIC_CONTENTION)
    assert met.message.params["lanes"] == 31


def test_fences_and_atomics_of_all_threads_end_within_the_limit() -> None:
    source = """
extern "C" __global__ void k(float *x, unsigned *count, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
    unsigned before = 0;
    for (int n = 0; n < 3; ++n) {
        __threadfence();
        before = atomicInc(count, gridDim.x);
        if (before == gridDim.x - 1) out[blockIdx.x] = x[(i + 1) % 1024];
        __threadfence();
    }
    out[i % 64] = x[(i + before) % 2048];
}
"""
    began = time.process_time()
    zero = InOut(np.zeros(1, np.uint32))
    run_cuda(source, 2, 1024, {"x": Scratch((2048,)), "count": zero, "out": Out((64,))})
    assert time.process_time() - began < SECONDS_OF_A_SEARCH
