// mutant: takes mask[j][i] | verdict: wrong
__global__ void convolve(const float *image, const float *mask, float *out, int rows, int cols, int m)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float sum = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            int r = row + i - m / 2, c = col + j - m / 2;
            if (r >= 0 && r < rows && c >= 0 && c < cols)
                sum += mask[j * m + i] * image[r * cols + c];
        }
    out[row * cols + col] = sum;
}
