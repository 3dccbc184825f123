// mutant: one element too many in every row, <= for < | verdict: crashed | diagnostic: out of bounds
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int col = 0; col <= cols; col++)
            sum += a[row * cols + col] * x[col];  // <- here
        y[row] = sum;
    }
}
