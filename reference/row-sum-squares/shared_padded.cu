// Rung `shared_padded`: `shared` with rows of 33 floats, of which 32 are used.
//
// Element [row][col] now lies in bank (row + col) % 32: the 32 lanes that read down a column find 32 different banks,
// and all are served at once. What is left is waiting: between two barriers a thread has four loads on their way,
// and 1000 rows make only 32 blocks.

#include "tile.cuh"

__global__ void row_sum_squares_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

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
