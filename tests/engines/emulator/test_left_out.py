"""Unsupported features are rejected with name and line, and the documentation lists them."""

import re

import pytest

from grader.model.diagnostic import DiagnosticKind
from grader.model.verdict import Verdict
from tools.emulator.compiling import Out, line_of, run_cuda
from tools.messages import english
from tools.paths import CHECKOUT

ASM = "int v = n; unsigned long long l = n; float f = n;"

LEFT_OUT = {
    "cp.async": 'asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(v), "l"(out));',
    "cp.async.bulk": (
        'asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%0];"'
        ' :: "r"(v), "l"(out));'
    ),
    "mbarrier": 'asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(v));',
    "redux": 'asm volatile("redux.sync.add.s32 %0, %0, 0xffffffff;" : "+r"(v));',
    "elect": 'asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; }" : "=r"(v));',
    "mma": (
        'asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%0,%0,%0}, {%1,%1,%1,%1}, {%1,%1},'
        ' {%0,%0,%0,%0};" : "+f"(f) : "r"(v));'
    ),
    "wgmma": 'asm volatile("wgmma.fence.sync.aligned;");',
    "wmma.load.a.sync.aligned.row.m16n16k8.global.tf32": (
        'asm volatile("wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%0,%0,%0,%0}, [%1], 8;"'
        ' : "+r"(v) : "l"(out));'
    ),
    "txq": 'asm volatile("txq.width.b32 %0, [%1];" : "=r"(v) : "l"(l));',
    "suq": 'asm volatile("suq.width.b32 %0, [%1];" : "=r"(v) : "l"(l));',
    "sust.p": 'asm volatile("sust.p.2d.b32.trap [%1, {%0,%0}], {%0};" :: "r"(v), "l"(l));',
    "alloca": 'asm volatile("alloca.u64 %0, 16;" : "=l"(l));',
    "griddepcontrol": 'asm volatile("griddepcontrol.wait;");',
    "clusterid": 'asm volatile("mov.u32 %0, %clusterid.x;" : "=r"(v));',
    "pm0": 'asm volatile("mov.u32 %0, %pm0;" : "=r"(v));',
    "b128": (
        'asm volatile("{ .reg .b128 w; mov.b128 w, {%0, %0}; atom.global.exch.b128 w, [%1], w; }"'
        ' :: "l"(l), "l"(out));'
    ),
    "cudaLaunchDevice": (
        'asm volatile("{ .param .b64 p; st.param.b64 [p], %0; call cudaLaunchDevice, (p); }" :: "l"(l));'
    ),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_left_out_is_not_gradable_and_has_its_line(name: str) -> None:
    source = f"""
extern "C" __device__ void cudaLaunchDevice(unsigned long long);
extern "C" __global__ void run(int* out, int n) {{
    {ASM}
    {LEFT_OUT[name]}  // here
    out[0] = v + (int)l + (int)f;
}}
"""
    ran = run_cuda(source, 1, 32, {"out": Out((1,)), "n": 3})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.NOT_GRADABLE
    assert name.split(".", maxsplit=1)[0] in english(ran.fault.reason)
    (found,) = ran.found(DiagnosticKind.UNSUPPORTED)
    assert found.line == line_of(source, "// here")


def test_the_documentation_lists_what_is_left_out() -> None:
    page = (CHECKOUT / "docs" / "reference" / "emulator.md").read_text(encoding="utf-8")
    section = page.split("### Unsupported")[1].split("\n#")[0]
    listed = set(re.findall(r"`([\w.]+)`", section))
    assert [name for name in LEFT_OUT if not {name, name.split(".")[0], name.split(".")[-1]} & listed] == []
