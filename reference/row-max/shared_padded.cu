// Rung `shared_padded`: the rows of the tile are 33 floats apart instead of 32.
//
// Now lane tx finds element i of its row in bank (tx + i) % 32: another one for every lane. The column that is unused
// costs 128 bytes and saves 31 of 32 turns. What is left is that the block waits at two barriers for every 32
// columns, with four loads of a thread on their way at most.

#include "tile.cuh"

__global__ void row_max_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.x * TILE;

    // Nothing is smaller: it loses against every element, and stands for those outside the matrix as well.
    float largest = -INFINITY;
    for (int col0 = 0; col0 < cols; col0 += TILE) {
        load_tile(tile, a, rows, cols, row0, col0, -INFINITY);
        __syncthreads();
        for (int i = ty; i < TILE; i += BLOCK_ROWS) {
            largest = fmaxf(largest, tile[tx][i]);
        }
        // The next tile may not come before all have looked at this one.
        __syncthreads();
    }

    // Eight threads know the largest of an eighth of row tx each. Their candidates meet in the tile.
    tile[ty][tx] = largest;
    __syncthreads();
    if (ty == 0 && row0 + tx < rows) {
        for (int i = 1; i < BLOCK_ROWS; ++i) {
            largest = fmaxf(largest, tile[i][tx]);
        }
        out[row0 + tx] = largest;
    }
}
