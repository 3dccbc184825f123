// Rung `global`: one thread per pixel. The blur reads the whole window from global memory for each.

__global__ void grey(const uchar4 *image, unsigned char *out, int rows, int cols)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        const uchar4 pixel = image[row * cols + col];
        out[row * cols + col] = (unsigned char)(0.299f * pixel.x + 0.587f * pixel.y + 0.114f * pixel.z);
    }
}

__global__ void blur(const unsigned char *picture, unsigned char *blurred, int rows, int cols, int radius)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) {
        return;
    }
    int sum = 0;
    int count = 0;
    for (int r = max(0, row - radius); r <= min(rows - 1, row + radius); ++r) {
        for (int c = max(0, col - radius); c <= min(cols - 1, col + radius); ++c) {
            sum += picture[r * cols + c];
            ++count;
        }
    }
    blurred[row * cols + col] = sum / count;
}
