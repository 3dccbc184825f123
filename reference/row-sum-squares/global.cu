// Rung `global`: one thread adds up the squares of one row, straight from global memory.
//
// At each step a warp asks for 32 elements that are a whole row apart: 32 sectors, of which it uses four bytes
// each. The squares are free: a fused multiply-add takes no longer than an addition, and memory is what everybody
// waits for. Few threads wait, too: one per row.

__global__ void row_sum_squares_global(const float *a, float *out, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }

    float sum = 0.0f;
    for (int col = 0; col < cols; ++col) {
        const float x = a[(size_t)row * cols + col];
        sum += x * x;
    }
    out[row] = sum;
}
