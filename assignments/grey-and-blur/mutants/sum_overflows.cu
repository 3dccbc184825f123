// mutant: blur adds up in a byte | verdict: wrong | beside: quads
__global__ void blur(const unsigned char *picture, unsigned char *blurred, int rows, int cols, int radius)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    unsigned char sum = 0;
    int count = 0;
    for (int r = max(0, row - radius); r <= min(rows - 1, row + radius); ++r)
        for (int c = max(0, col - radius); c <= min(cols - 1, col + radius); ++c, ++count)
            sum += picture[r * cols + c];
    blurred[row * cols + col] = sum / count;
}
