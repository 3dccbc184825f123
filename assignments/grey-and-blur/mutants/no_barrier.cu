// mutant: blur adds up before the tile is there | verdict: wrong | diagnostic: shared-memory race | beside: quads
__global__ void blur(const unsigned char *picture, unsigned char *blurred, int rows, int cols, int radius)
{
    __shared__ unsigned char tile[32][32];
    int top = blockIdx.y * 16 - radius, left = blockIdx.x * 16 - radius;
    for (int i = threadIdx.y; i < 16 + 2 * radius; i += 16)
        for (int j = threadIdx.x; j < 16 + 2 * radius; j += 16) {
            int r = top + i, c = left + j;
            tile[i][j] = r >= 0 && r < rows && c >= 0 && c < cols ? picture[r * cols + c] : 0;  // <- here
        }
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= rows || col >= cols) return;
    int sum = 0;
    for (int i = 0; i <= 2 * radius; i++)
        for (int j = 0; j <= 2 * radius; j++)
            sum += tile[threadIdx.y + i][threadIdx.x + j];  // <- here
    int high = min(rows - 1, row + radius) - max(0, row - radius) + 1, wide = min(cols - 1, col + radius) - max(0, col - radius) + 1;
    blurred[row * cols + col] = sum / (high * wide);
}
