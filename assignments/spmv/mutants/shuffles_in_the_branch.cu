// mutant: only the lanes that have a nonzero take part in the shuffles, though the mask names all 32 | verdict: wrong | diagnostic: inactive lane
// launch: spmv block=128 grid=ceil(rows/4)
__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;
    int i = row_starts[row] + lane;
    int end = row_starts[row + 1];
    float sum = 0.0f;
    if (i < end) {
        for (; i < end; i += 32)
            sum += values[i] * x[columns[i]];
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, d);  // <- here
    }
    if (lane == 0)
        y[row] = sum;
}
