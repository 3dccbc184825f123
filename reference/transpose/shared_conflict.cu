// Rung `shared_conflict`: the tile is turned round in shared memory, so that both global accesses run along
// rows.
//
// Reading a row of A and writing a row of B are now both coalesced. But `tile[tx][i]` walks down a column
// of the tile, and in a [32][32] array of floats a whole column lies in one of the 32 banks: each such read
// is served 32 times over.

#define TILE 32
#define BLOCK_ROWS 8

__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

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
