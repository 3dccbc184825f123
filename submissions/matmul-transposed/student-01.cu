/* Лабораторная работа 3. Умножение матрицы на транспонированную, с выравниванием. */
#include <cuda_runtime.h>

#define BLOCK_SIZE 32

__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    // фиктивный столбец только у ats: as читается по строкам
    __shared__ float as[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float ats[BLOCK_SIZE][BLOCK_SIZE + 1];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BLOCK_SIZE + ty;   // строка A для as
    int rowT = blockIdx.x * BLOCK_SIZE + ty;  // строка A для ats
    int col = blockIdx.x * BLOCK_SIZE + tx;
    float sum = 0.0f;

    int steps = (k + BLOCK_SIZE - 1) / BLOCK_SIZE;
    for (int s = 0; s < steps; s++) {
        int p = s * BLOCK_SIZE + tx;
        if (p < k && row < m)
            as[ty][tx] = a[row * k + p];
        else
            as[ty][tx] = 0;
        if (p < k && rowT < m)
            ats[ty][tx] = a[rowT * k + p];
        else
            ats[ty][tx] = 0;
        __syncthreads();
        for (int i = 0; i < BLOCK_SIZE; i++)
            sum += as[ty][i] * ats[tx][i];
        __syncthreads();
    }
    if (row < m && col < m)
        c[row * m + col] = sum;
}
