// mutant: repeats the pixel at the edge instead of zero | verdict: wrong
__global__ void convolve(const float *image, const float *mask, float *out, int rows, int cols, int m)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float sum = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            sum += mask[i * m + j] * image[min(max(row + i - m / 2, 0), rows - 1) * cols + min(max(col + j - m / 2, 0), cols - 1)];
    out[row * cols + col] = sum;
}
