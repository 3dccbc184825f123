__global__ void spmv(const int *row_starts, const int *columns, const float *values, const float *x, float *y, int rows) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        int n = row_starts[r + 1] - row_starts[r];
        if (n > 0) {  // empty: nothing to add, nothing to do
            const int *c = columns + row_starts[r];
            const float *v = values + row_starts[r];
            float s = v[0] * x[c[0]];
            for (int i = 1; i < n; i++) s += v[i] * x[c[i]];
            y[r] = s;
        }
    }
}
