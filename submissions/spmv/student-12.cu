// every row has at least one nonzero, so start with it
__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        int i = row_starts[r];
        float s = 0.f;
        do {
            s += values[i] * x[columns[i]];
            i++;
        } while (i < row_starts[r + 1]);
        y[r] = s;
    }
}
