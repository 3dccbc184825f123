"""Executed instructions are counted at their source lines."""

import numpy as np

from grader.model.run import LineProfile
from tools.emulator.compiling import InOut, Out, Ran, line_of, run_cuda

X = np.arange(256, dtype=np.float32)


def kernel(body: str, parameters: str = "const float* x, float* out") -> str:
    return f'extern "C" __global__ void k({parameters}) {{\n    int t = threadIdx.x;\n{body}\n}}\n'


def profile(ran: Ran, line: int) -> LineProfile:
    (found,) = [profile for profile in ran.counters.lines if profile.line == line]
    return found


def test_a_line_of_a_branch_counts_only_the_lanes_that_took_it() -> None:
    source = kernel("    float v = x[t];\n    if (t % 4 == 0) // branch\n        out[t] = v * v; // taken")
    ran = run_cuda(source, 2, 64, {"x": X, "out": Out((64,))})
    taken = profile(ran, line_of(source, "// taken"))
    assert taken.thread_instructions == 8 * taken.warp_instructions > 0
    branch = profile(ran, line_of(source, "// branch"))
    assert branch.thread_instructions == 32 * branch.warp_instructions
    assert (branch.branches, branch.divergent_branches) == (4, 4)


def test_a_branch_that_whole_warps_take_does_not_part_lanes() -> None:
    source = kernel("    if (t < 32) // branch\n        out[t] = x[t] * x[t];")
    branch = profile(run_cuda(source, 1, 64, {"x": X, "out": Out((64,))}), line_of(source, "// branch"))
    assert (branch.branches, branch.divergent_branches) == (2, 0)


def test_the_lines_add_up_to_the_kernel() -> None:
    source = kernel("    float s = 0;\n    for (int i = 0; i <= t; i++) s += x[i] * s;\n    out[t] = s;")
    ran = run_cuda(source, 2, 40, {"x": X, "out": Out((64,))}, times=2)
    lines = ran.counters.lines
    assert sum(line.warp_instructions for line in lines) == ran.counters.warp_instructions
    assert sum(line.thread_instructions for line in lines) == ran.counters.thread_instructions
    assert [line.line for line in lines] == sorted(line.line or 0 for line in lines)


def test_atomics_at_one_address_are_counted_in_passes() -> None:
    source = kernel(
        "    atomicAdd(out, 1.0f); // all\n    atomicAdd(out + t, 1.0f); // none\n"
        "    atomicAdd(out + t % 8, 1.0f); // four",
        "float* out",
    )
    ran = run_cuda(source, 1, 64, {"out": InOut(np.zeros(64, np.float32))})
    atomics = {mark: profile(ran, line_of(source, f"// {mark}")) for mark in ("all", "none", "four")}
    passes = {mark: (found.atomic_requests, found.atomic_passes) for mark, found in atomics.items()}
    assert passes == {"all": (2, 64), "none": (2, 2), "four": (2, 8)}


def test_a_switch_that_parts_lanes_is_a_divergent_branch() -> None:
    cases = " ".join(f"case {i}: v = v * {i + 2} + x[{i}]; break;" for i in range(12))
    source = kernel(
        f"    float v = x[t];\n    switch (t % 12) {{ {cases} default: v = 0; }} // switch\n    out[t] = v;"
    )
    ran = run_cuda(source, 1, 32, {"x": X, "out": Out((32,))})
    found = profile(ran, line_of(source, "// switch"))
    assert found.divergent_branches >= 1
    assert found.branches >= found.divergent_branches
