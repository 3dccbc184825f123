// Rung `shared_padded`: one float more between the rows of the tile, and the conflicts are gone.
//
// With 33 floats to a row, going one row down moves one bank to the right, so a column visits all 32 banks. Nothing
// else has changed. The time now goes to the barriers, and to memory that too few loads at a time keep waiting.

#include "tile.cuh"

__global__ void row_min_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.x * TILE;

    float smallest = INFINITY;
    for (int col0 = 0; col0 < cols; col0 += TILE) {
        // Beyond the matrix the tile holds +infinity. A 0 there would win in every row of positive numbers.
        load_tile(tile, a, rows, cols, row0, col0, INFINITY);
        __syncthreads();
        for (int i = ty; i < TILE; i += BLOCK_ROWS) {
            smallest = fminf(smallest, tile[tx][i]);
        }
        __syncthreads();  // the tile is about to be overwritten
    }

    // The tile is free now: thread (tx, ty) leaves there what it found in its eighth of row tx.
    tile[ty][tx] = smallest;
    __syncthreads();
    if (ty == 0 && row0 + tx < rows) {
        for (int eighth = 1; eighth < BLOCK_ROWS; ++eighth) {
            smallest = fminf(smallest, tile[eighth][tx]);
        }
        out[row0 + tx] = smallest;
    }
}
