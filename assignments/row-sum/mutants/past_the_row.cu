// mutant: row_sum_global adds one element too many, <= for < | verdict: crashed | diagnostic: out of bounds | beside: shared, shared_padded
__global__ void row_sum_global(const float *a, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int col = 0; col <= cols; col++)
            sum += a[row * cols + col];  // <- here
        out[row] = sum;
    }
}
