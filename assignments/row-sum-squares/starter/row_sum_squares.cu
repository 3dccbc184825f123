// out[r] = a[r][0]^2 + a[r][1]^2 + ... in float32, for every row r of the rows x cols matrix A, row-major.
// Three functions.
//
// Begin with row_sum_squares_global, and get every size right first. Do not use atomic additions.

// Launched with blocks of 256 threads, as many as cover the rows: one thread per row.
__global__ void row_sum_squares_global(const float *a, float *out, int rows, int cols)
{
    // Which row is this thread's? Is there such a row at all?
}

// Launched with blocks of 32 x 8 threads, one for every 32 rows.
__global__ void row_sum_squares_shared(const float *a, float *out, int rows, int cols)
{
    // Load a 32 x 32 tile along the rows, wait for the whole block, add up squares, wait again; then the next tile.
}

// Launched like row_sum_squares_shared.
__global__ void row_sum_squares_shared_padded(const float *a, float *out, int rows, int cols)
{
    // The same, with a tile with its columns spread over several banks.
}
