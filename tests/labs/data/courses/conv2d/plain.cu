__constant__ float mask[5][5];

__global__ void convolve(const float *image, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float sum = 0.0f;
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 5; ++j) {
            int r = row + i - 2, c = col + j - 2;
            if (r >= 0 && r < rows && c >= 0 && c < cols) sum += mask[i][j] * image[r * cols + c];
        }
    }
    out[row * cols + col] = sum;
}
