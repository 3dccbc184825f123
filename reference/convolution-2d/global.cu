// Rung `global`: one thread per pixel. It reads its m * m neighbours from global memory, and asks of each whether it
// exists.

__global__ void convolve(const float *image, const float *mask, float *out, int rows, int cols, int m)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) {
        return;
    }
    const int radius = m / 2;
    float sum = 0.0f;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) {
            const int r = row + i - radius;
            const int c = col + j - radius;
            if (r >= 0 && r < rows && c >= 0 && c < cols) {
                sum += mask[i * m + j] * image[r * cols + c];
            }
        }
    }
    out[row * cols + col] = sum;
}
