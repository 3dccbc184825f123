// mutant: row_max_shared_padded fills the tile with zeros outside the matrix | verdict: wrong | beside: global, shared
#include <math.h>
__global__ void row_max_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.x * 32;
    float m = -INFINITY;
    for (int col0 = 0; col0 < cols; col0 += 32) {
        for (int i = ty; i < 32; i += 8)
            tile[i][tx] = (row0 + i < rows && col0 + tx < cols) ? a[(row0 + i) * cols + col0 + tx] : 0;
        __syncthreads();
        for (int i = ty; i < 32; i += 8)
            m = fmaxf(m, tile[tx][i]);
        __syncthreads();
    }
    tile[ty][tx] = m;
    __syncthreads();
    if (ty == 0 && row0 + tx < rows) {
        for (int i = 1; i < 8; i++)
            m = fmaxf(m, tile[i][tx]);
        out[row0 + tx] = m;
    }
}
