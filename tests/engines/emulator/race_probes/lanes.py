"""Mistakes within a warp: barriers of some lanes, shuffles, sums."""

from tests.engines.emulator.race_probes.probe import Probe

HALF_WARPS = {
    "half a warp does not order the other": Probe(
        body="__shared__ int s[32];\ns[t] = x[t];\nif (t < 16) __syncwarp(0xffff);\nout[t] = s[31 - t]; // here",
        codes=("lane-hazard",),
        blocks=1,
        threads=32,
    ),
    "two halves": Probe(
        body="__shared__ int s[32];\ns[t] = x[t];\n__syncwarp(t < 16 ? 0xffffu : 0xffff0000u);\n"
        "out[t] = s[t ^ 16]; // here",
        codes=("lane-hazard",),
        blocks=1,
        threads=32,
    ),
    "quarters": Probe(
        body="__shared__ int s[32];\ns[t] = x[t];\n__syncwarp(0xffu << (t & 24));\nout[t] = s[(t + 4) & 31]; // here",
        codes=("lane-hazard",),
        blocks=1,
        threads=32,
    ),
    "one lane is left out": Probe(
        body="__shared__ int s[32];\ns[t] = x[t];\nif (t < 31) __syncwarp(0x7fffffff);\n"
        "out[t] = s[(t + 1) & 31]; // here",
        codes=("lane-hazard",),
        blocks=1,
        threads=32,
    ),
    "within a half": Probe(
        body="__shared__ int s[32];\ns[t] = x[t];\n__syncwarp(t < 16 ? 0xffffu : 0xffff0000u);\nout[t] = s[t ^ 8];",
        blocks=1,
        threads=32,
    ),
    "a whole barrier before halves": Probe(
        body="__shared__ int s[32];\ns[t] = x[t];\n__syncwarp();\n__syncwarp(t < 16 ? 0xffffu : 0xffff0000u);\n"
        "out[t] = s[31 - t];",
        blocks=1,
        threads=32,
    ),
    "many small ones": Probe(
        body="__shared__ int s[32];\ns[t] = x[t];\nfor (int j = 0; j < 20; ++j) __syncwarp(3u << (t & 30));\n"
        "out[t] = s[t ^ 1];",
        blocks=1,
        threads=32,
    ),
    "through a lane in both": Probe(
        body="__shared__ int s[32];\nif (t == 0) s[0] = x[0];\nif (t < 16) __syncwarp(0xffff);\n"
        "if (t >= 8) __syncwarp(0xffffff00);\nif (t == 31) out[0] = s[0];",
        blocks=1,
        threads=32,
    ),
}
"""``__syncwarp`` of some lanes orders only those."""

SHUFFLES = {
    "sum of lanes that have exited": Probe(
        body="if (i >= n) return;\nint s = x[i];\n"
        "for (int d = 16; d; d /= 2) s += __shfl_down_sync(~0u, s, d); // here\n"
        "if (t % 32 == 0) atomicAdd(out, s);",
        codes=("shuffle-from-exited-lane",),
    ),
    "sum inside a branch": Probe(
        body="if (i < n) {\nint s = x[i];\nfor (int d = 16; d; d /= 2) s += __shfl_down_sync(~0u, s, d); // here\n"
        "if (t % 32 == 0) atomicAdd(out, s);\n}",
        codes=("shuffle-from-exited-lane",),
    ),
    "sum of the lanes in a ballot": Probe(
        body="unsigned m = __ballot_sync(~0u, i < n);\nif (i < n) {\nint s = x[i];\n"
        "for (int d = 16; d; d /= 2) s += __shfl_down_sync(m, s, d); // here\nif (t % 32 == 0) out[i / 32] = s;\n}\n"
        "__syncwarp();",
        codes=("shuffle-from-inactive-lane",),
    ),
    "value of a lane outside the mask": Probe(
        body="if (t < 8) out[t] = __shfl_sync(0xff, x[t], 8); // here\n__syncthreads();",
        codes=("shuffle-from-inactive-lane",),
        blocks=1,
    ),
    "value of a lane that does not exist": Probe(
        body="out[t] = __shfl_xor_sync(0xfffff, x[t], 16); // here",
        codes=("shuffle-from-exited-lane",),
        blocks=1,
        threads=20,
    ),
    "mask without the caller": Probe(
        body="if (t < 16) out[t] = __shfl_sync(0xff, x[t], 0); // here",
        codes=("outside-lane-mask",),
        blocks=1,
    ),
    "vote without the caller": Probe(
        body="if (t < 16) out[t] = __any_sync(0xff, x[t]); // here", codes=("outside-lane-mask",), blocks=1
    ),
    "all lanes take part": Probe(
        body="int s = i < n ? x[i] : 0;\nfor (int d = 16; d; d /= 2) s += __shfl_down_sync(~0u, s, d);\n"
        "if (t % 32 == 0) atomicAdd(out, s);"
    ),
    "undefined sums are dropped": Probe(
        body="if (t < 8) {\nint s = x[t];\nfor (int d = 4; d; d /= 2) s += __shfl_down_sync(0xff, s, d);\n"
        "if (t == 0) out[b] = s;\n}"
    ),
    "undefined values are not chosen": Probe(
        body="int left = min(32, n - i + t % 32);\nif (i < n) {\nint s = x[i];\nfor (int d = 16; d; d /= 2) {\n"
        "int v = __shfl_down_sync(__activemask(), s, d);\nif (t % 32 + d < left) s += v;\n}\n"
        "if (t % 32 == 0) out[i / 32] = s;\n}"
    ),
    "segments of eight": Probe(
        body="if (t < 8) {\nint s = x[t];\nfor (int d = 4; d; d /= 2) s += __shfl_down_sync(0xff, s, d, 8);\n"
        "out[t] = s;\n}"
    ),
    "scan of the first lanes": Probe(
        body="if (t < 20) {\nint s = x[t];\nfor (int d = 1; d < 32; d *= 2) {\nint v = __shfl_up_sync(0xfffff, s, d);\n"
        "if (t >= d) s += v;\n}\nout[t] = s;\n}"
    ),
}
"""A shuffle reads only lanes that take part; values that are dropped do not matter."""

TREES = {
    "sum of a warp": Probe(
        body="__shared__ int s[32];\ns[t] = x[t];\n__syncwarp();\nfor (int d = 16; d; d /= 2)\n"
        "if (t < d) s[t] += s[t + d]; // here\nif (t == 0) out[b] = s[0];",
        codes=("lane-hazard",),
        threads=32,
    ),
    "volatile sum of a warp": Probe(
        body="__shared__ volatile int s[64];\ns[t] = x[t];\n__syncthreads();\nif (t < 32) {\n"
        "s[t] += s[t + 32]; // here\n"
        "s[t] += s[t + 16];\ns[t] += s[t + 8];\n}\nif (t == 0) out[b] = s[0];",
        codes=("lane-hazard-in-lines",),
    ),
    "barriers behind the reads only": Probe(
        body="__shared__ int s[64];\ns[t] = x[t];\n__syncthreads();\nif (t < 32) {\nfor (int d = 32; d; d /= 2) {\n"
        "int v = s[t + d];\n__syncwarp();\ns[t] += v; // here\n}\n}\nif (t == 0) out[b] = s[0];",
        codes=("lane-hazard",),
    ),
    "barriers behind the writes only": Probe(
        body="__shared__ int s[64];\ns[t] = x[t];\n__syncthreads();\nif (t < 32) {\nfor (int d = 32; d; d /= 2) {\n"
        "int v = s[t + d];\ns[t] += v; // here\n__syncwarp();\n}\n}\nif (t == 0) out[b] = s[0];",
        codes=("lane-hazard",),
    ),
    "barriers behind both": Probe(
        body="__shared__ int s[64];\ns[t] = x[t];\n__syncthreads();\nif (t < 32) {\nfor (int d = 32; d; d /= 2) {\n"
        "int v = s[t + d];\n__syncwarp();\ns[t] += v;\n__syncwarp();\n}\n}\nif (t == 0) out[b] = s[0];"
    ),
    "fewer lanes each time": Probe(
        body="__shared__ int s[32];\ns[t] = x[t];\n__syncwarp();\nfor (int d = 16; d; d /= 2) {\n"
        "if (t < d) s[t] += s[t + d];\n__syncwarp();\n}\nif (t == 0) out[b] = s[0];",
        threads=32,
    ),
    "barriers of the block": Probe(
        body="__shared__ int s[64];\ns[t] = x[t];\n__syncthreads();\nfor (int d = 32; d; d /= 2) {\n"
        "if (t < d) s[t] += s[t + d];\n__syncthreads();\n}\nif (t == 0) out[b] = s[0];"
    ),
    "shuffles": Probe(
        body="int s = x[t];\nfor (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);\nout[i] = s;"
    ),
}
"""Lanes of a warp that add up in shared memory need barriers between all steps."""
