// mutant: loads the halo at the sides and not in the corners | verdict: wrong | diagnostic: uninitialised read
__global__ void convolve(const float *image, const float *mask, float *out, int rows, int cols, int m)
{
    __shared__ float tile[24][24];
    int x = threadIdx.x, y = threadIdx.y, h = m / 2;
    int col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    auto pixel = [&](int r, int c) { return r >= 0 && r < rows && c >= 0 && c < cols ? image[r * cols + c] : 0.0f; };
    tile[y + h][x + h] = pixel(row, col);
    if (x < h) {
        tile[y + h][x] = pixel(row, col - h);
        tile[y + h][x + 16 + h] = pixel(row, col + 16);
    }
    if (y < h) {
        tile[y][x + h] = pixel(row - h, col);
        tile[y + 16 + h][x + h] = pixel(row + 16, col);
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            sum += mask[i * m + j] * tile[y + i][x + j];  // <- here
    if (row < rows && col < cols)
        out[row * cols + col] = sum;  // <- here
}
