// For the rows x cols matrix A, row-major, in float32:
//   row_means[r]    = (a[r][0] + a[r][1] + ...) / cols    for every row r
//   column_means[c] = (a[0][c] + a[1][c] + ...) / rows    for every column c
// Three functions.
//
// Begin with row_mean_global, and get every size right first. Do not use atomic additions.

// Launched with blocks of 256 threads, as many as cover the longer side: thread i may take row i and column i.
__global__ void row_mean_global(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    // Is there a row i? Is there a column i?
}

// Launched with blocks of 32 x 8 threads, one for every 32 elements of the longer side.
__global__ void row_mean_shared(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    // The rows: load a 32 x 32 tile along them, wait for the whole block, add up, wait again; then the next tile.
    // The columns: which threads read neighbours if you walk down a column? What is left to share?
}

// Launched like row_mean_shared.
__global__ void row_mean_shared_padded(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    // The same, with a tile with its columns spread over several banks.
}
