// mutant: one nonzero too many in every row, <= for <, past the end in the last one | verdict: crashed | diagnostic: out of bounds
__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int i = row_starts[row]; i <= row_starts[row + 1]; i++)
            sum += values[i] * x[columns[i]];  // <- here
        y[row] = sum;
    }
}
