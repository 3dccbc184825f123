// Transposes a corner of 256 x 256 elements and leaves the rest.
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    for (int i = 0; i < 32; i += blockDim.y) {
        const int row = blockIdx.y * 32 + threadIdx.y + i;
        if (row < min(rows, 256) && col < min(cols, 256)) {
            b[(size_t)col * rows + row] = a[(size_t)row * cols + col];
        }
    }
}
