// Adds up in shared memory that it never sets to zero: right wherever that memory happens to be clean.
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    __shared__ float sums[1024];
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        for (int col = 0; col < cols; col++) {
            sums[threadIdx.x] += a[(size_t)row * cols + col] * x[col];
        }
        y[row] = sums[threadIdx.x];
    }
}
