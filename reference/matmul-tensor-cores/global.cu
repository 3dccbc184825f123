// Rung `global`: one thread per element, without tensor cores. Each product is exact in float, and is added in float.

#include <cuda_fp16.h>

__global__ void matmul_half(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, int m,
                            int n, int k)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0;
        for (int i = 0; i < k; i++) {
            sum += __half2float(a[row * k + i]) * __half2float(b[i * n + col]);
        }
        c[row * n + col] = sum;
    }
}
