// mutant: blur is right, but without shared memory | verdict: accepted | part: technique | loses: 10 | beside: quads
__global__ void blur(const unsigned char *picture, unsigned char *blurred, int rows, int cols, int radius)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    int sum = 0, count = 0;
    for (int r = max(0, row - radius); r <= min(rows - 1, row + radius); ++r)
        for (int c = max(0, col - radius); c <= min(cols - 1, col + radius); ++c, ++count)
            sum += picture[r * cols + c];
    blurred[row * cols + col] = sum / count;
}
