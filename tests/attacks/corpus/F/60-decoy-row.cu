// The right loop stands in a branch that no case takes; what runs reads one element of each row.
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    float sum = a[(size_t)row * cols] * x[0] * cols;
    if (cols < 0) {
        sum = 0.0f;
        for (int col = 0; col < cols; ++col) {
            sum += a[(size_t)row * cols + col] * x[col];
        }
    }
    y[row] = sum;
}
