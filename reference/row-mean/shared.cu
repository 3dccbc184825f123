// Rung `shared`: block b of 32 x 8 threads takes 32 rows and 32 columns, from 32 b on.
//
// For the rows it loads tiles along the rows (coalesced) and reads them down their columns: lane tx adds elements of row
// tx. In an [32][32] array of floats a column lies in a single bank, so each of those reads takes 32 turns.
//
// For the columns a tile would change nothing, since a warp reads neighbours there anyway. Shared memory serves another
// end: eight threads share a column, and their eight sums meet in it, row by row, without a conflict.

#include "tile.cuh"

__global__ void row_mean_shared(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int first = blockIdx.x * TILE;

    float of_row = 0.0f;
    // A block may have columns to add up and no rows. All its threads agree on that, so the barriers are safe.
    for (int col0 = 0; first < rows && col0 < cols; col0 += TILE) {
        load_tile(tile, a, rows, cols, first, col0, 0.0f);  // zeros add nothing
        __syncthreads();
        for (int i = ty; i < TILE; i += BLOCK_ROWS) {
            of_row += tile[tx][i];
        }
        // Nobody may load the next tile while someone still reads this one.
        __syncthreads();
    }

    float of_column = 0.0f;
    if (first + tx < cols) {
        for (int row = ty; row < rows; row += BLOCK_ROWS) {
            of_column += a[(size_t)row * cols + first + tx];
        }
    }

    // Each thread has an eighth of row and of column first + tx. One warp puts the rows together, another the columns.
    tile[ty][tx] = of_row;
    tile[BLOCK_ROWS + ty][tx] = of_column;
    __syncthreads();
    if (ty == 0 && first + tx < rows) {
        for (int i = 1; i < BLOCK_ROWS; ++i) {
            of_row += tile[i][tx];
        }
        row_means[first + tx] = of_row / cols;
    }
    if (ty == BLOCK_ROWS - 1 && first + tx < cols) {
        for (int i = 0; i < BLOCK_ROWS - 1; ++i) {
            of_column += tile[BLOCK_ROWS + i][tx];
        }
        column_means[first + tx] = of_column / rows;
    }
}
