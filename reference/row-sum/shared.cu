// Rung `shared`: a block walks along its 32 rows with a 32 x 32 tile in shared memory.
//
// The tile is loaded along the rows (coalesced), then read down its columns: lane tx adds elements of row
// tx. In a [32][32] array of floats a column lies in a single bank, so each of those reads is a 32-way
// conflict: the time saved on global memory is partly lost again.

#include "tile.cuh"

__global__ void row_sum_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

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
