// Rung `shared`: one block per matrix. Both factors are loaded once, as they lie in memory, and each thread computes
// every eighth row of one column.
//
// launch: batched_matmul block=32,8 grid=batch

#define MOST 32
#define ROWS 8

__global__ void batched_matmul(const float *a, const float *b, float *c, int batch, int n)
{
    __shared__ float left[MOST * MOST];
    __shared__ float right[MOST * MOST];

    const size_t first = (size_t)blockIdx.x * n * n;
    for (int i = threadIdx.y * MOST + threadIdx.x; i < n * n; i += MOST * ROWS) {
        left[i] = a[first + i];
        right[i] = b[first + i];
    }
    __syncthreads();
    const int col = threadIdx.x;
    if (col >= n) {
        return;
    }
    for (int row = threadIdx.y; row < n; row += ROWS) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k) {
            sum += left[row * n + k] * right[k * n + col];
        }
        c[first + row * n + col] = sum;
    }
}
