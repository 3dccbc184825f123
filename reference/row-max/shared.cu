// Rung `shared`: a block of 32 x 8 threads compares 32 rows, tile by tile.
//
// Warps load along the rows, so that a load needs 4 sectors instead of 32. Then lane tx looks for the largest in row
// tx of the tile, and that is where it is slow: 32 lanes read one column of a [32][32] array, which lies in one
// bank, so a read takes 32 turns.

#include "tile.cuh"

__global__ void row_max_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

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
