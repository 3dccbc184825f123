// mutant: the shuffles begin at 8 instead of 16, so half of the lanes' sums are lost | verdict: wrong
// launch: matvec block=256 grid=ceil(rows/8)
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    int lane = threadIdx.x & 31;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int col = lane; col < cols; col += 32)
        sum += a[row * cols + col] * x[col];
    for (int d = 8; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum;
}
