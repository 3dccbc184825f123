"""Mistakes between blocks: counters, flags, fences, scopes."""

from tests.engines.emulator.race_probes.probe import Probe

_SUM = "int s = 0; for (int j = 0; j < 8; ++j) s += x[j];\n"
_LAST = "if (last && t == 0) { int s = 0; for (int j = 0; j < gridDim.x; ++j) s += work[8 + j]; *out = s; }"


def _counts(work: str, after: str) -> str:
    """Write a result of the block, then count it; the last block adds up. ``after`` stands between the two."""
    return (
        f"__shared__ bool last;\n{work}\n{after}\n"
        f"if (t == 0) last = atomicAdd((unsigned*)work, 1u) == gridDim.x - 1;\n__syncthreads();\n{_LAST} // here"
    )


LAST_BLOCK = {
    "all threads fence and no barrier follows": Probe(
        body=_counts("if (t == 40) work[8 + b] = x[b];", "__threadfence();"), codes=("unreleased-blocks",)
    ),
    "counted before the fence": Probe(
        body="__shared__ bool last;\nif (t == 0) {\nwork[8 + b] = x[b];\n"
        "last = atomicAdd((unsigned*)work, 1u) == gridDim.x - 1;\n__threadfence();\n}\n__syncthreads();\n"
        f"{_LAST} // here",
        codes=("unreleased-blocks",),
    ),
    "no fence": Probe(body=_counts("if (t == 0) work[8 + b] = x[b];", ""), codes=("unreleased-blocks",)),
    "only another warp fences": Probe(
        body=_counts("if (t == 0) work[8 + b] = x[b];", "if (t == 32) __threadfence();\n__syncthreads();"),
        codes=("unreleased-blocks",),
    ),
    "written behind the fence": Probe(
        body=_counts("", "if (t == 0) { __threadfence(); work[8 + b] = x[b]; }"), codes=("unreleased-blocks",)
    ),
    "writer fences and counts": Probe(
        body=_counts("if (t == 0) work[8 + b] = x[b];", "if (t == 0) __threadfence();")
    ),
    "all fence, then a barrier": Probe(
        body=_counts("if (t == 40) work[8 + b] = x[b];", "__threadfence();\n__syncthreads();")
    ),
    "barrier, then one fence": Probe(
        body=_counts("if (t == 40) work[8 + b] = x[b];", "__syncthreads();\nif (t == 0) __threadfence();")
    ),
    "fence of one warp, barrier, another warp counts": Probe(
        body="__shared__ bool last;\nif (t == 40) { work[8 + b] = x[b]; __threadfence(); }\n__syncthreads();\n"
        "if (t == 0) last = atomicAdd((unsigned*)work, 1u) == gridDim.x - 1;\n__syncthreads();\n" + _LAST
    ),
    "many blocks": Probe(
        body=_counts("if (t == 0) work[8 + b] = x[b];", "if (t == 0) __threadfence();"), blocks=40
    ),
}
"""A fence releases what its own warp wrote, and other warps' writes only up to the last barrier."""


def _message(write: str, signal: str, wait: str) -> str:
    """Block 0 writes and signals; block 1 waits and reads."""
    return f"if (t) return;\nif (b == 0) {{\n{_SUM}{write}\n{signal}\n}} else {{\n{wait}\n*out = work[8]; // here\n}}"


_WAIT = "while (((volatile int*)work)[0] == 0) { }"
_SET = "((volatile int*)work)[0] = 1;"

SCOPES = {
    "fence for the block": Probe(
        body=_message("work[8] = s;", "__threadfence_block();\n" + _SET, _WAIT), codes=("fence-of-block",)
    ),
    "release for the block": Probe(
        body=_message("work[8] = s;", "store_release_block(work, 1);", "while (load_relaxed(work) == 0) { }"),
        codes=("fence-of-block",),
    ),
    "counter for the block": Probe(
        body="atomicAdd_block(&out[0], x[t]); // here", codes=("atomic-of-block",)
    ),
    "maximum for the block": Probe(
        body="if (t == 0) atomicMax_block(out, x[b]); // here", codes=("atomic-of-block",)
    ),
    "one block's atomic and another's for the device": Probe(
        body="if (b == 0) atomicAdd(out, 1);\nelse atomicAdd_block(out, 1); // here",
        codes=("atomic-of-block",),
    ),
    "fence for the device": Probe(body=_message("work[8] = s;", "__threadfence();\n" + _SET, _WAIT)),
    "fence for the system": Probe(body=_message("work[8] = s;", "__threadfence_system();\n" + _SET, _WAIT)),
    "release for the device": Probe(
        body=_message("work[8] = s;", "store_release(work, 1);", "while (load_relaxed(work) == 0) { }")
    ),
    "counters of each block": Probe(body="atomicAdd_block(&out[b], x[t]);"),
    "fence for the block within it": Probe(
        body="__shared__ int f, v;\nif (t == 0) f = 0;\n__syncthreads();\nif (t == 0) {\nv = x[3];\n"
        "__threadfence_block();\n((volatile int*)&f)[0] = 1;\n}\nif (t == 32) {\n"
        "while (((volatile int*)&f)[0] == 0) { }\nout[b] = v;\n}"
    ),
    "shared counter for the block": Probe(
        body="__shared__ int c;\nif (t == 0) c = 0;\n__syncthreads();\natomicAdd_block(&c, 1);\n__syncthreads();\n"
        "out[i] = c;"
    ),
}
"""Fences and atomics of block scope do nothing between blocks."""

ACQUIRES = {
    "another counter": Probe(
        body=_message("work[8] = s;", "__threadfence();\n" + _SET, "atomicAdd(&work[100], 1);"),
        codes=("unordered-blocks",),
    ),
    "another flag": Probe(
        body=_message(
            "work[8] = s;", "__threadfence();\nwork[4] = 1;", _WAIT.replace("[0] == 0", "[200] != 0")
        ),
        codes=("unreleased-blocks",),
    ),
    "counter without its old value": Probe(
        body=_message("work[8] = s;", "__threadfence();\natomicAdd(&work[0], 1);", "atomicAdd(&work[0], 1);"),
        codes=("unordered-blocks",),
    ),
    "acquired by another warp": Probe(
        body=f"if (b == 0) {{\nif (t == 0) {{ work[8] = x[3]; __threadfence(); {_SET} }}\n}} else {{\n"
        f"if (t == 0) {_WAIT}\nif (t == 32) *out = work[8]; // here\n}}",
        codes=("unreleased-blocks",),
    ),
    "its own counter": Probe(
        body=_message(
            "work[8] = s;",
            "__threadfence();\natomicAdd(&work[0], 1);",
            "while (atomicAdd(&work[0], 0) == 0) { }",
        )
    ),
    "acquired before a barrier": Probe(
        body=f"if (b == 0) {{\nif (t == 0) {{ work[8] = x[3]; __threadfence(); {_SET} }}\n}} else {{\n"
        f"if (t == 0) {_WAIT}\n__syncthreads();\nif (t == 32) *out = work[8];\n}}"
    ),
    "through a third block": Probe(
        body=f"if (t) return;\nif (b == 0) {{ work[8] = x[3]; __threadfence(); {_SET} }}\n"
        f"else if (b == 1) {{ {_WAIT} __threadfence(); ((volatile int*)work)[1] = 1; }}\n"
        "else { while (((volatile int*)work)[1] == 0) { } *out = work[8]; }",
        blocks=3,
    ),
    "lock": Probe(
        body="if (t) return;\nwhile (atomicCAS(&work[0], 0, 1) != 0) { }\n__threadfence();\nwork[8] += x[b];\n"
        "__threadfence();\natomicExch(&work[0], 0);",
        blocks=6,
    ),
    "barrier of the grid by counters": Probe(
        body="if (t == 0) work[8 + b] = x[b];\n__threadfence();\n__syncthreads();\nif (t == 0) {\n"
        "atomicAdd(&work[0], 1);\nwhile (((volatile int*)work)[0] < gridDim.x) { }\n}\n__syncthreads();\n"
        "if (t < gridDim.x) out[i] = work[8 + t];",
        blocks=4,
    ),
    "lock with a volatile release": Probe(
        body="if (t) return;\nwhile (atomicCAS(&work[0], 0, 1) != 0) { }\nwork[8] += x[b];\n__threadfence();\n"
        + _SET.replace("= 1", "= 0"),
        blocks=6,
    ),
}
"""Only a read of the flag or counter that was set behind the fence acquires."""

_PACKED = "unsigned long long* w = (unsigned long long*)work;\nif (t) return;\n"

FLAGS = {
    "payload behind a relaxed flag without a fence": Probe(
        body=_message("work[8] = s;", "store_relaxed(work, 1);", "while (load_relaxed(work) == 0) { }"),
        codes=("unreleased-blocks",),
    ),
    "payload behind a volatile flag without a fence": Probe(
        body=_message("work[8] = s;", _SET, _WAIT), codes=("unreleased-blocks",)
    ),
    "volatile counter": Probe(
        body="if (t == 0) { volatile int* c = work;\n*c = *c + 1; // here\n}",
        codes=("unreleased-blocks", "unordered-blocks"),
    ),
    "relaxed counter": Probe(
        body="if (t == 0) store_relaxed(work, load_relaxed(work) + 1);", codes=("data-race",)
    ),
    "volatile sums between warps": Probe(
        body="__shared__ volatile int s[64];\ns[t] = x[t];\nout[i] = s[63 - t]; // here",
        codes=("missing-barrier",),
    ),
    "halves of a packed word": Probe(
        body=_PACKED + "if (b == 0) *(volatile unsigned long long*)w = 1ull << 32 | 5;\n"
        "else { while (((volatile int*)w)[1] == 0) { } // here\n*out = 1; }",
        codes=("data-race",),
    ),
    "packed and volatile": Probe(
        body=_PACKED
        + "if (b == 0) *(volatile unsigned long long*)w = 1ull << 32 | 5;\nelse {\nunsigned long long v;\n"
        "while (!((v = *(volatile unsigned long long*)w) >> 32)) { }\n*out = (int)v;\n}"
    ),
    "packed and relaxed": Probe(
        body="if (t) return;\nif (b == 0) store_relaxed(work, 1 << 16 | 5);\nelse {\nint v;\n"
        "while (!((v = load_relaxed(work)) >> 16)) { }\n*out = v;\n}"
    ),
    "state read once": Probe(
        body="if (t) return;\nif (b == 0) store_relaxed(work, 7);\nelse *out = load_relaxed(work);"
    ),
    "look back over packed words": Probe(
        body="if (t) return;\nvolatile int* state = work;\nstate[b] = 1 << 16 | x[b];\nint s = 0;\n"
        "for (int p = b - 1; p >= 0;) {\nint v = state[p];\nif (v >> 16 == 2) { s += v & 0xffff; break; }\n"
        "if (v >> 16 == 1) { s += v & 0xffff; --p; }\n}\nstate[b] = 2 << 16 | (s + x[b]);\nout[b] = s;",
        blocks=5,
    ),
    "volatile flag set and read by one warp each": Probe(
        body="__shared__ volatile int f;\nif (t == 0) f = 0;\n__syncthreads();\nif (t == 0) f = 1;\n"
        "if (t == 32) while (f == 0) { }\nout[i] = 1;"
    ),
    "turns of blocks": Probe(
        body="if (t) return;\nwhile (((volatile int*)work)[0] != b) { }\nwork[8] += x[b];\n__threadfence();\n"
        "((volatile int*)work)[0] = b + 1;",
        blocks=5,
    ),
}
"""Strong accesses of one size to one address may meet."""
