// B = A transposed, float32, row-major: A is rows x cols, B is cols x rows.
//
// Begin with b[col][row] = a[row][col], and get every size right first. Then look at which of the two
// accesses is scattered, and let a tile in shared memory turn the data round.
//
// Launched with blocks of 32 x 8 threads, one for every 32 x 32 tile of A: each thread handles four elements.

__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    // Which four elements of A are this thread's? Are there such elements at all?
}
