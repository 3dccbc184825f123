// mutant: reads neighbours outside of the image | verdict: crashed | diagnostic: out of bounds
__global__ void convolve(const float *image, const float *mask, float *out, int rows, int cols, int m)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float sum = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            sum += mask[i * m + j] * image[(row + i - m / 2) * cols + col + j - m / 2];  // <- here
    out[row * cols + col] = sum;
}
