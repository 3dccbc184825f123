/* Лабораторная работа 3, вариант 6 */
#include <float.h>
#include <stdio.h>

__global__ void row_min_global(const float *a, float *out, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float m = FLT_MAX;
        for (int c = 0; c < cols; c++)
            if (a[r * cols + c] < m)
                m = a[r * cols + c];
        out[r] = m;
    }
}

// launch: row_min_shared block=32,4 grid=ceil(rows/32)
__global__ void row_min_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float t[32][32], best[4][32];
    int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.x * 32;
    float m = FLT_MAX;
    for (int c0 = 0; c0 < cols; c0 += 32) {
        for (int i = y; i < 32; i += 4)
            t[i][x] = (r0 + i < rows && c0 + x < cols) ? a[(r0 + i) * cols + c0 + x] : FLT_MAX;
        __syncthreads();
        for (int i = y; i < 32; i += 4)
            m = min(m, t[x][i]);
        __syncthreads();
    }
    best[y][x] = m;
    __syncthreads();
    if (y == 0 && r0 + x < rows)
        out[r0 + x] = min(min(best[0][x], best[1][x]), min(best[2][x], best[3][x]));
}

// launch: row_min_shared_padded block=32,4 grid=ceil(rows/32)
__global__ void row_min_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float t[32][33], best[4][32];
    int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.x * 32;
    float m = FLT_MAX;
    for (int c0 = 0; c0 < cols; c0 += 32) {
        for (int i = y; i < 32; i += 4)
            t[i][x] = (r0 + i < rows && c0 + x < cols) ? a[(r0 + i) * cols + c0 + x] : FLT_MAX;
        __syncthreads();
        for (int i = y; i < 32; i += 4)
            m = min(m, t[x][i]);
        __syncthreads();
    }
    best[y][x] = m;
    __syncthreads();
    if (y == 0 && r0 + x < rows)
        out[r0 + x] = min(min(best[0][x], best[1][x]), min(best[2][x], best[3][x]));
}

int main()
{
    printf("variant 6\n");
    return 0;
}
