// mutant: threads without a pixel return before they have loaded their part of the halo | verdict: wrong | diagnostic: divergent barrier
__global__ void convolve(const float *image, const float *mask, float *out, int rows, int cols, int m)
{
    __shared__ float tile[24][24];
    int x = threadIdx.x, y = threadIdx.y, h = m / 2;
    int col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    if (row >= rows || col >= cols) return;
    for (int i = y; i < 16 + m - 1; i += 16)
        for (int j = x; j < 16 + m - 1; j += 16) {
            int r = blockIdx.y * 16 + i - h, c = blockIdx.x * 16 + j - h;
            tile[i][j] = r >= 0 && r < rows && c >= 0 && c < cols ? image[r * cols + c] : 0.0f;
        }
    __syncthreads();  // <- here
    float sum = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            sum += mask[i * m + j] * tile[y + i][x + j];  // <- here
    out[row * cols + col] = sum;  // <- here
}
