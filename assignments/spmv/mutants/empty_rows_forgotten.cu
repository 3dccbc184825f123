// mutant: writes nothing where a row is empty | verdict: wrong
__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    int start = row_starts[row];
    int end = row_starts[row + 1];
    if (start == end) return;
    float sum = 0.0f;
    for (int i = start; i < end; i++)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}
