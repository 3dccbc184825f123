// 矩阵乘法（int），每个线程块把 A、B 的子块读入共享存储器
#include <stdio.h>

#define BLOCK_SIZE 16

__global__ void matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    __shared__ int As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ int Bs[BLOCK_SIZE][BLOCK_SIZE];

    int row = threadIdx.y;
    int col = threadIdx.x;
    int gy = blockIdx.y * BLOCK_SIZE + row;
    int gx = blockIdx.x * BLOCK_SIZE + col;
    int Cvalue = 0;

    for (int t = 0; t < (k + BLOCK_SIZE - 1) / BLOCK_SIZE; ++t) {
        int ka = t * BLOCK_SIZE + col;
        int kb = t * BLOCK_SIZE + row;
        // 越界的位置补 0
        As[row][col] = (gy < m && ka < k) ? a[gy * k + ka] : 0;
        Bs[row][col] = (kb < k && gx < n) ? b[kb * n + gx] : 0;
        __syncthreads();
        for (int e = 0; e < BLOCK_SIZE; ++e)
            Cvalue += As[row][e] * Bs[e][col];
        __syncthreads();
    }
    if (gy < m && gx < n)
        c[gy * n + gx] = Cvalue;
}
