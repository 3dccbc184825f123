// Rung `shared_padded`: `shared_conflict` with one unused column in the tile.
//
// Rows are now 33 floats apart, so element [row][col] lies in bank (row + col) % 32: a row and a column
// both touch all 32 banks once, and no access conflicts. 128 bytes of shared memory buy that.

#define TILE 32
#define BLOCK_ROWS 8

__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col0 = blockIdx.x * TILE;
    const int row0 = blockIdx.y * TILE;

    for (int i = ty; i < TILE; i += BLOCK_ROWS) {
        if (row0 + i < rows && col0 + tx < cols) {
            tile[i][tx] = a[(size_t)(row0 + i) * cols + col0 + tx];
        }
    }
    // From here on each thread reads what others have loaded.
    __syncthreads();

    // The tile's place in B: rows and columns have changed roles, and so have their bounds.
    for (int i = ty; i < TILE; i += BLOCK_ROWS) {
        if (col0 + i < cols && row0 + tx < rows) {
            b[(size_t)(col0 + i) * rows + row0 + tx] = tile[tx][i];
        }
    }
}
