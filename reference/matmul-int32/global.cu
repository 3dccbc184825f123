// Rung `global`: one thread computes one element of C, reading both factors straight from global memory.
//
// It is the first program of the source, and right for every input: `int` products and sums that do not fit into
// 32 bits lose what is above, the lower bits stay right, and so nothing depends on the order of the additions. (In
// C++ on a CPU a signed overflow is undefined behaviour; the GPU's multiply-add, IMAD, keeps the low 32 bits.)
//
// Each multiply-add needs two loads. A GPU can start many times more multiply-adds than loads per clock, so the
// arithmetic units wait.

__global__ void matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) {
        return;
    }

    int sum = 0;
    for (int i = 0; i < k; ++i) {
        sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    }
    c[(size_t)row * n + col] = sum;
}
