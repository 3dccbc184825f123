"""A kernel in which each block waits for the next one, so that all must be resident."""

CROWD = """
extern "C" __global__ void k(int* flags, const int* order, int* large) {
    int mine[16384];
    for (int i = 0; i < 16384; ++i) mine[i] = i;
    if (blockIdx.x + 1 < gridDim.x) while (((volatile int*)flags)[blockIdx.x + 1] == 0) { } // here
    flags[blockIdx.x] = 1 + mine[order[threadIdx.x]];
}
"""
"""Each block takes 2 MiB of local memory and waits for the next one."""
