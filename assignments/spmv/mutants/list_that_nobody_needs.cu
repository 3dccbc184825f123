// mutant: a list in shared memory that changes no result | verdict: accepted | part: technique | loses: 5
__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    __shared__ volatile int lengths[256];
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const int begin = row_starts[row], end = row_starts[row + 1];
    lengths[threadIdx.x % 256] = end - begin;
    float sum = 0.0f;
    for (int i = begin; i < end; ++i)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}
