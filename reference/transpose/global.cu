// Rung `global`: each element goes straight from its row to its column.
//
// The lanes of a warp read 32 neighbours of a row of A: 4 sectors of 32 bytes. They write down a column of
// B, where neighbours are `rows` elements apart: 32 sectors for the same 128 bytes. One side of a direct
// transpose is always scattered; choosing the other one only moves the problem.
//
// A block of 32 x 8 threads handles a 32 x 32 tile, four elements per thread.

#define TILE 32
#define BLOCK_ROWS 8

__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    const int col = blockIdx.x * TILE + threadIdx.x;
    const int row0 = blockIdx.y * TILE + threadIdx.y;

    for (int i = 0; i < TILE; i += BLOCK_ROWS) {
        const int row = row0 + i;
        if (row < rows && col < cols) {
            b[(size_t)col * rows + row] = a[(size_t)row * cols + col];
        }
    }
}
