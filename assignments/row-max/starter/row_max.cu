// out[r] = the largest of a[r][0], a[r][1], ... for every row r of the rows x cols matrix A, float32, row-major.
// Three functions, the first of them without shared memory.

// Launched with blocks of 256 threads, as many as cover the rows: one thread per row.
__global__ void row_max_global(const float *a, float *out, int rows, int cols)
{
    // Which number loses against every other? It is not 0.
}

// Launched with blocks of 32 x 8 threads, one for every 32 rows.
__global__ void row_max_shared(const float *a, float *out, int rows, int cols)
{
    // A tile of 32 x 32 elements at a time. What belongs into it where the matrix has ended?
}

// Launched like row_max_shared.
__global__ void row_max_shared_padded(const float *a, float *out, int rows, int cols)
{
    // The same, with a tile with its columns spread over several banks.
}
