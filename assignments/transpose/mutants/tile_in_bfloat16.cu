// mutant: the tile keeps only the upper 16 bits of every number | verdict: wrong
#define TILE 32

__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ unsigned short tile[TILE][TILE + 2];
    int tx = threadIdx.x;
    int x0 = blockIdx.x * TILE;
    int y0 = blockIdx.y * TILE;
    for (int j = threadIdx.y; j < TILE; j += blockDim.y)
        if (x0 + tx < cols && y0 + j < rows)
            tile[j][tx] = __float_as_uint(a[(y0 + j) * cols + x0 + tx]) >> 16;
    __syncthreads();
    for (int j = threadIdx.y; j < TILE; j += blockDim.y)
        if (y0 + tx < rows && x0 + j < cols)
            b[(x0 + j) * rows + y0 + tx] = __uint_as_float((unsigned int)tile[tx][j] << 16);
}
