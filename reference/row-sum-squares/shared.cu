// Rung `shared`: 32 rows a block, through a 32 x 32 tile in shared memory.
//
// Each warp loads 32 neighbours of a row, so global memory is read in whole sectors. The squares are taken on the way
// out of the tile, where lane tx reads row tx: down a column, and in a [32][32] array of floats a column lies in
// a single bank. Each of those reads takes 32 turns.

#include "tile.cuh"

__global__ void row_sum_squares_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.x * TILE;

    float sum = 0.0f;
    for (int col0 = 0; col0 < cols; col0 += TILE) {
        load_tile(tile, a, rows, cols, row0, col0, 0.0f);  // the square of nothing adds nothing
        __syncthreads();
        for (int i = ty; i < TILE; i += BLOCK_ROWS) {
            const float x = tile[tx][i];
            sum += x * x;
        }
        // The slowest warp must have read the tile before the fastest loads the next.
        __syncthreads();
    }

    // Eight threads have a part of row tx each. These are sums of squares already: they are only added.
    tile[ty][tx] = sum;
    __syncthreads();
    if (ty == 0 && row0 + tx < rows) {
        for (int i = 1; i < BLOCK_ROWS; ++i) {
            sum += tile[i][tx];
        }
        out[row0 + tx] = sum;
    }
}
