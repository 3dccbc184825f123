// Rung `global`: one thread computes one element of C, reading two rows of A straight from global memory.
//
// Element (row, col) of A·Aᵀ is the product of two rows of A. The threads of a warp are neighbours in x, so they share
// the row of A that is named by y and each walks along a row of its own for x. Those rows start k elements apart: at
// each step the warp reads 32 elements from 32 different sectors, and uses four bytes of each. The next seven steps
// find theirs in the cache, if it has kept 32 sectors for every warp on the SM until then.

__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;

    // The grid covers whole blocks; the last ones stick out of C.
    if (row >= m || col >= m) {
        return;
    }

    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
        sum += a[(size_t)row * k + i] * a[(size_t)col * k + i];
    }
    c[(size_t)row * m + col] = sum;
}
