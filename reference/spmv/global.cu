// Rung `global`: one thread computes one element of y and walks along its row of the matrix alone.
//
// Neighbouring threads are in different rows, so they read values and columns some way apart: not coalesced.
// The rows differ in length, and a warp is busy until its longest row is done, with ever fewer of its lanes.
// The longest row of all decides when the kernel ends: thousands of loads, one after the other, in a single
// thread.

__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }

    float sum = 0.0f;
    for (int i = row_starts[row]; i < row_starts[row + 1]; ++i) {
        sum += values[i] * x[columns[i]];
    }
    y[row] = sum;
}
