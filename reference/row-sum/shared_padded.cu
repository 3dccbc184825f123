// Rung `shared_padded`: `shared` with one unused column in the tile.
//
// Rows are now 33 floats apart, so element [row][col] lies in bank (row + col) % 32, and the 32 elements of
// a column in 32 different banks: the reads down the columns no longer conflict. What limits it now is how
// little is on its way: 32 rows keep only one block busy, and between two barriers a thread asks for just
// four numbers.

#include "tile.cuh"

__global__ void row_sum_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.x * TILE;

    float sum = 0.0f;
    for (int col0 = 0; col0 < cols; col0 += TILE) {
        load_tile(tile, a, rows, cols, row0, col0, 0.0f);  // zeros add nothing
        __syncthreads();
        for (int i = ty; i < TILE; i += BLOCK_ROWS) {
            sum += tile[tx][i];
        }
        // Nobody may load the next tile while someone still reads this one.
        __syncthreads();
    }

    // Row tx is now in eight parts, one in each thread of column tx of the block: the first adds them up.
    tile[ty][tx] = sum;
    __syncthreads();
    if (ty == 0 && row0 + tx < rows) {
        for (int i = 1; i < BLOCK_ROWS; ++i) {
            sum += tile[i][tx];
        }
        out[row0 + tx] = sum;
    }
}
