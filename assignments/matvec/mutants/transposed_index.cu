// mutant: multiplies by the transpose, a[col * rows + row] | verdict: wrong
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int col = 0; col < cols; col++)
            sum += a[col * rows + row] * x[col];
        y[row] = sum;
    }
}
