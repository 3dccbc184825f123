// y = A x in float32, where A is sparse and stored in CSR: row r has the nonzeros from number row_starts[r] up to but
// without number row_starts[r + 1]; values[i] is nonzero number i, and columns[i] its column. Rows may be empty.
//
// Begin with one thread per row, and get every matrix right first. Then think about who sums the long rows.

// Launched with blocks of 256 threads, as many as cover the rows: one thread per row.
__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    // Which row is this thread's? Where does it begin, and where does it end?
}
