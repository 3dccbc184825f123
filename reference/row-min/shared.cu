// Rung `shared`: the rows pass through shared memory, 32 columns at a time.
//
// The way in is coalesced: a warp stores 32 neighbours of a row. The way out is not free of trouble: for the 32 lanes
// to work on 32 rows they have to read down a column of the tile. Its elements are 32 floats apart and so share a
// bank. Global memory is used well, shared memory 32 times over.

#include "tile.cuh"

__global__ void row_min_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

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
