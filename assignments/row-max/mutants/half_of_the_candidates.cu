// mutant: row_max_shared compares four of its eight candidates in the end | verdict: wrong | beside: global, shared_padded
#include <math.h>
__global__ void row_max_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.x * 32;
    float m = -INFINITY;
    for (int col0 = 0; col0 < cols; col0 += 32) {
        for (int i = ty; i < 32; i += 8)
            tile[i][tx] = (row0 + i < rows && col0 + tx < cols) ? a[(row0 + i) * cols + col0 + tx] : -INFINITY;
        __syncthreads();
        for (int i = ty; i < 32; i += 8)
            m = fmaxf(m, tile[tx][i]);
        __syncthreads();
    }
    tile[ty][tx] = m;
    __syncthreads();
    if (ty == 0 && row0 + tx < rows) {
        for (int i = 1; i < 4; i++)
            m = fmaxf(m, tile[i][tx]);
        out[row0 + tx] = m;
    }
}
