// Rung `shared_padded`: `shared` with one unused column in the tile.
//
// Element [row][col] of the tile now lies in bank (row + col) % 32, so the reads down its columns, which add up the
// rows of the matrix, no longer meet in one bank. The half that adds up the matrix's columns is the same as in `shared`:
// it never read down a column of the tile, and padding gives it nothing. Now that half takes about as long as the
// other; each reads the whole matrix once.

#include "tile.cuh"

__global__ void row_mean_shared_padded(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

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
