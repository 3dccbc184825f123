"""What a probe is: the body of a kernel, and what has to be found in it."""

from dataclasses import dataclass

HEADER = """
__device__ int load_relaxed(int* p) {
    int v;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ void store_relaxed(int* p, int v) {
    asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" :: "l"(p), "r"(v) : "memory");
}
__device__ void store_release_block(int* p, int v) {
    asm volatile("st.release.cta.global.s32 [%0], %1;" :: "l"(p), "r"(v) : "memory");
}
__device__ void store_release(int* p, int v) {
    asm volatile("st.release.gpu.global.s32 [%0], %1;" :: "l"(p), "r"(v) : "memory");
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """The ``body`` of ``k(const int* x, int* out, int* work, int n)``, and the statements that have to be found in it.

    In the body, ``t`` is the thread's index in its block, ``b`` the block's and ``i`` the thread's in the grid. A
    comment ``// here`` marks the line of the finding. One of ``codes`` has to be said; an empty one means no mistake.
    """

    body: str
    codes: tuple[str, ...] = ()
    blocks: int = 2
    threads: int = 64
    n: int = 100
