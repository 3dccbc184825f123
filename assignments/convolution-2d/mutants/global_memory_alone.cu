// mutant: right, but without shared memory | verdict: accepted | part: technique | loses: 10
__global__ void convolve(const float *image, const float *mask, float *out, int rows, int cols, int m)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float sum = 0;
    for (int i = max(0, m / 2 - row); i < min(m, rows + m / 2 - row); i++)
        for (int j = max(0, m / 2 - col); j < min(m, cols + m / 2 - col); j++)
            sum += mask[i * m + j] * image[(row + i - m / 2) * cols + col + j - m / 2];
    out[row * cols + col] = sum;
}
