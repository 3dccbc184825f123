// Rung `global`: one thread computes one element of C, reading both factors straight from global memory.
//
// The threads of a warp are neighbours in x, so they share a row of A (one address, broadcast to all of
// them) and read 16 neighbouring elements of a row of B (coalesced). The accesses are as good as they get;
// there are only far too many: 2k loads for 2k arithmetic operations, while the same rows and columns are
// fetched again by other blocks.

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;

    // The grid covers whole blocks; the last ones stick out of C.
    if (row >= m || col >= n) {
        return;
    }

    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
        sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    }
    c[(size_t)row * n + col] = sum;
}
