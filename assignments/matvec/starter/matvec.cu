// y[r] = a[r][0] * x[0] + a[r][1] * x[1] + ... in float32, for every row r of the rows x cols matrix A, row-major.
//
// Begin with one thread per row, and get every size right first. Then look at how the threads of a warp read A.

// Launched with blocks of 256 threads, as many as cover the rows: one thread per row.
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    // Which row is this thread's? Is there such a row at all?
}
