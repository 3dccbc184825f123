"""Mistakes at one address: atomics behind plain accesses, lost updates, bytes of a word."""

from tests.engines.emulator.race_probes.probe import Probe

OWN_ATOMIC = {
    "counter set without a barrier": Probe(
        body="__shared__ int c;\nif (t == 0) c = 0;\natomicAdd(&c, 1); // here\n__syncthreads();\nout[i] = c;",
        codes=("data-race", "missing-barrier"),
    ),
    "histogram cleared without a barrier": Probe(
        body="__shared__ int h[64];\nh[t] = 0;\natomicAdd(&h[(x[t] + t) & 63], 1); // here\n__syncthreads();\n"
        "out[i] = h[t];",
        codes=("data-race", "missing-barrier"),
    ),
    "maximum set by the lane that is first": Probe(
        body="__shared__ int m;\nif (t == 0) m = x[0];\natomicMax(&m, x[t]); // here\n__syncthreads();\nout[i] = m;",
        codes=("data-race", "missing-barrier"),
    ),
    "own flag written plainly, then as volatile": Probe(
        body="__shared__ int f[2];\nif (t == 0) { f[0] = 5; ((volatile int*)f)[0] = 7; }\n"
        "if (t == 32) while (((volatile int*)f)[0] == 5) { } // here\n__syncthreads();\nout[i] = f[0];",
        codes=("data-race",),
    ),
    "own count read plainly before the atomic": Probe(
        body="if (t == 0) { out[b] = work[0]; // here\natomicAdd(&work[0], 1); }",
        codes=("data-race",),
    ),
    "barrier behind the first value": Probe(
        body="__shared__ int c;\nif (t == 0) c = 0;\n__syncthreads();\natomicAdd(&c, 1);\n__syncthreads();\nout[i] = c;"
    ),
    "histogram behind a barrier": Probe(
        body="__shared__ int h[64];\nh[t] = 0;\n__syncthreads();\natomicAdd(&h[x[t] & 63], 1);\n__syncthreads();\n"
        "out[i] = h[t];"
    ),
    "atomic first value": Probe(
        body="__shared__ int c;\nif (t < 32) { atomicExch(&c, 0); }\n__syncthreads();\natomicAdd(&c, 1);\n"
        "__syncthreads();\nout[i] = c;"
    ),
    "first guess of a compare-and-swap": Probe(
        body="int old = work[0], seen;\ndo {\nseen = old;\nold = atomicCAS(&work[0], seen, max(seen, x[i]));\n"
        "} while (old != seen);"
    ),
    "own element, then an atomic on it": Probe(body="out[i] = x[t];\natomicAdd(&out[i], 1);"),
}
"""A thread's own atomic must not hide its earlier plain access."""

UPDATES = {
    "global element": Probe(body="out[0]++; // here", codes=("lost-update",), blocks=1, threads=32),
    "shared element": Probe(
        body="__shared__ int s;\nif (t == 0) s = 0;\n__syncwarp();\ns += 2; // here\n__syncwarp();\nout[t] = s;",
        codes=("lost-update",),
        blocks=1,
        threads=32,
    ),
    "in two lines": Probe(
        body="int v = work[3];\nv = v + 1;\nwork[3] = v; // here",
        codes=("lost-update",),
        blocks=1,
        threads=32,
    ),
    "two lanes of each element": Probe(
        body="work[t / 2] += 3; // here", codes=("lost-update",), blocks=1, threads=32
    ),
    "volatile": Probe(
        body="volatile int* c = work;\n*c = *c + 1; // here", codes=("lost-update",), blocks=1, threads=32
    ),
    "own elements": Probe(body="work[i]++;", threads=32),
    "one thread": Probe(body="if (t == 0) work[b]++;"),
    "one lane at a time": Probe(
        body="for (int j = 0; j < 32; ++j) {\nif (t == j) work[b]++;\n__syncwarp();\n}", threads=32
    ),
    "atomic": Probe(body="atomicAdd(&work[0], 1);"),
    "equal values behind a barrier": Probe(
        body="int v = work[b];\n__syncthreads();\nwork[b] = v + 1;", threads=32
    ),
}
"""An update of one element by many lanes loses all but one, although all write the same value."""


NARROW = {
    "bytes": Probe(
        body="__shared__ char c[64];\nc[t] = x[t];\nout[i] = c[63 - t]; // here", codes=("missing-barrier",)
    ),
    "bytes of one warp": Probe(
        body="__shared__ char c[32];\nc[t] = x[t];\nout[i] = c[31 - t]; // here",
        codes=("lane-hazard",),
        threads=32,
    ),
    "halves": Probe(
        body="__shared__ short c[64];\nc[t] = x[t];\nout[i] = c[(t + 33) % 64]; // here",
        codes=("missing-barrier",),
    ),
    "first byte of a word": Probe(
        body="__shared__ unsigned char c[4];\nif (t % 16 == 0) c[t / 16] = t;\nif (t == 63) out[b] = c[0]; // here\n"
        "if (t == 1) out[b + 2] = 0;",
        codes=("missing-barrier",),
    ),
    "word over bytes": Probe(
        body="__shared__ __align__(4) char c[64];\nc[t] = x[t];\nif (t < 16) out[i] = ((int*)c)[15 - t]; // here",
        codes=("missing-barrier",),
    ),
    "bytes of a buffer": Probe(
        body="unsigned char* c = (unsigned char*)(work + 100 * b);\nc[t] = x[t];\nout[i] = c[63 - t]; // here",
        codes=("missing-barrier",),
    ),
    "own bytes of a buffer": Probe(
        body="unsigned char* c = (unsigned char*)work;\nc[i] = x[t];\n__syncthreads();\nout[i] = c[b * 64 + 63 - t];"
    ),
    "bytes behind a barrier": Probe(
        body="__shared__ char c[64];\nc[t] = x[t];\n__syncthreads();\nout[i] = c[63 - t];"
    ),
    "own bytes": Probe(body="__shared__ char c[64];\nc[t] = x[t];\nout[i] = c[t];"),
    "own halves": Probe(body="__shared__ short c[64];\nc[t] = x[t];\nc[t] += 1;\nout[i] = c[t];"),
    "words over bytes behind a barrier": Probe(
        body="__shared__ __align__(4) char c[64];\nc[t] = x[t];\n__syncthreads();\nif (t < 16) ((int*)c)[t] += 1;\n"
        "__syncthreads();\nout[i] = c[63 - t];"
    ),
    "bytes of neighbouring threads": Probe(
        body="__shared__ char c[128];\nc[2 * t] = 1;\nc[2 * t + 1] = 2;\n__syncthreads();\nc[t] = c[64 + t];\n"
        "out[i] = c[t];"
    ),
}
"""Each byte of a word has its own last access."""
