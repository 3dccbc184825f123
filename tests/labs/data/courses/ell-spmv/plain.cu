__global__ void spmv(const float *values, const int *columns, const float *x, float *y, int rows, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < width; ++k) {
        int col = columns[k * rows + row];
        if (col >= 0) sum += values[k * rows + row] * x[col];
    }
    y[row] = sum;
}
