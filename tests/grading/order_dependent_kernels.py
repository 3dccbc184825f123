"""Transposes with blocks that communicate, right or wrong depending on the order of warps and blocks."""

TRANSPOSE = """
__device__ int tickets;
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ int place, value;
    const int thread = threadIdx.y * 32 + threadIdx.x;
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    BODY
    const int col = place % gridDim.x * 32 + threadIdx.x;
    for (int i = threadIdx.y; i < 32; i += 8) {
        const int row = place / gridDim.x * 32 + i;
        if (row < rows && col < cols) b[(size_t)col * rows + row] = a[(size_t)row * cols + col];
    }
}
"""

IN_ORDER_OF_ARRIVAL = TRANSPOSE.replace(
    "BODY",
    """
    if (thread == 0) { place = block; value = atomicAdd(&tickets, 1); }
    __syncthreads();
    if (value != block) return;
""",
)
"""Each block is right only if the blocks run in the order of the grid."""

A_BARRIER_TOO_FEW = TRANSPOSE.replace(
    "BODY",
    """
    if (thread == 0) { place = block; value = 0; }
    __syncthreads();
    if (thread == 0) atomicAdd(&value, block + 1);
    const int seen = atomicAdd(&value, 0);
    if (thread >= 32 && thread < 224 && seen == 0) return;
""",
)
"""Later warps read what the first warp writes; all accesses are atomic, so there is no data race."""

TAKING_TICKETS = TRANSPOSE.replace(
    "BODY",
    """
    if (thread == 0) { value = 0; place = atomicAdd(&tickets, 1); }
    __syncthreads();
""",
)
"""The first block to arrive takes the first tile, reads it and writes it: right in every order."""
