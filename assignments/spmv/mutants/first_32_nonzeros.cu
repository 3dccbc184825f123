// mutant: each lane of a row's warp takes one nonzero, so those after the 32nd are lost | verdict: wrong
// launch: spmv block=128 grid=ceil(rows/4)
__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;
    int i = row_starts[row] + lane;
    float sum = i < row_starts[row + 1] ? values[i] * x[columns[i]] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum;
}
