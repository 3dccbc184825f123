// mutant: no barrier between filling the tile and emptying it | verdict: wrong | diagnostic: shared-memory race
#define TILE 32

__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int tx = threadIdx.x;
    int x0 = blockIdx.x * TILE;
    int y0 = blockIdx.y * TILE;
    for (int j = threadIdx.y; j < TILE; j += blockDim.y)
        if (x0 + tx < cols && y0 + j < rows)
            tile[j][tx] = a[(y0 + j) * cols + x0 + tx];
    for (int j = threadIdx.y; j < TILE; j += blockDim.y)
        if (y0 + tx < rows && x0 + j < cols)
            b[(x0 + j) * rows + y0 + tx] = tile[tx][j];  // <- here
}
