#include <cstdio>

// the padded version is still missing
__global__ void row_sum_global(const float *a, float *out, int rows, int cols) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        float s = 0.f;
        for (int j = 0; j < cols; j++) s += a[i * cols + j];
        out[i] = s;
    }
}

__global__ void row_sum_shared(const float *a, float *out, int rows, int cols) {
    __shared__ float t[32][32];
    int r0 = blockIdx.x * 32;
    float s = 0.f;
    for (int c0 = 0; c0 < cols; c0 += 32) {
        for (int i = threadIdx.y; i < 32; i += 8) {
            bool ok = r0 + i < rows && c0 + threadIdx.x < cols;
            t[i][threadIdx.x] = ok ? a[(r0 + i) * cols + c0 + threadIdx.x] : 0.f;
        }
        __syncthreads();
        if (threadIdx.y == 0)
            for (int i = 0; i < 32; i++) s += t[threadIdx.x][i];
        __syncthreads();
    }
    if (threadIdx.y == 0 && r0 + threadIdx.x < rows) out[r0 + threadIdx.x] = s;
}
