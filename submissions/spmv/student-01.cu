// CSR：一个 warp 负责一行，最后用 shuffle 求和
// launch: spmv block=128 grid=ceil(rows/4)

__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int lane = threadIdx.x & 31;
    int row = blockIdx.x * 4 + (threadIdx.x >> 5);
    if (row >= rows) return;
    float s = 0;
    for (int i = row_starts[row] + lane; i < row_starts[row + 1]; i += 32)
        s += values[i] * x[columns[i]];
    for (int d = 16; d > 0; d >>= 1)
        s += __shfl_xor_sync(0xffffffff, s, d);
    if (lane == 0) y[row] = s;
}
