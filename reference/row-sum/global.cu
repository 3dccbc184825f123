// Rung `global`: one thread adds up one row, straight from global memory.
//
// Neighbouring threads read elements that are a whole row apart, so each of a warp's 32 loads falls into a
// sector of its own: 32 sectors where 4 would do. Only the cache softens that, by keeping a sector for the
// next seven steps. And there are only as many threads as rows: too few to hide the latency of memory.

__global__ void row_sum_global(const float *a, float *out, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }

    float sum = 0.0f;
    for (int col = 0; col < cols; ++col) {
        sum += a[(size_t)row * cols + col];
    }
    out[row] = sum;
}
