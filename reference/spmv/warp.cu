// Rung `warp`: one warp computes one element of y.
//
// The lanes read 32 neighbouring values and columns of the row at each step: coalesced, and a long row takes
// a 32nd of the steps. Only the elements of x lie scattered, wherever the columns point. At the end the 32
// partial sums are added up by shuffles, from register to register. What limits this kernel are the short
// rows: four nonzeros, or none, keep a whole warp busy for as long as 32 would. And a row of many thousands
// is still the work of one warp.
//
// launch: spmv block=256 grid=ceil(rows/8)

__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows) {
        return;
    }

    const int end = row_starts[row + 1];
    float sum = 0.0f;
    for (int i = row_starts[row] + lane; i < end; i += 32) {
        sum += values[i] * x[columns[i]];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    }
    if (lane == 0) {
        y[row] = sum;
    }
}
