// Rung `shared`: a block of 16 x 16 threads loads its tile with a halo of up to eight pixels on each side, zeros where
// the picture ends, and each thread adds up its window there.

#define TILE 16
#define MOST 8
#define WIDTH (TILE + 2 * MOST)

// launch: blur block=16,16 grid=ceil(cols/16),ceil(rows/16)
__global__ void blur(const unsigned char *picture, unsigned char *blurred, int rows, int cols, int radius)
{
    __shared__ unsigned char tile[WIDTH][WIDTH];

    const int top = blockIdx.y * TILE - radius;
    const int left = blockIdx.x * TILE - radius;
    const int width = TILE + 2 * radius;
    for (int i = threadIdx.y; i < width; i += TILE) {
        for (int j = threadIdx.x; j < width; j += TILE) {
            const int r = top + i;
            const int c = left + j;
            tile[i][j] = r >= 0 && r < rows && c >= 0 && c < cols ? picture[r * cols + c] : 0;
        }
    }
    __syncthreads();
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= rows || col >= cols) {
        return;
    }
    int sum = 0;
    for (int i = 0; i <= 2 * radius; ++i) {
        for (int j = 0; j <= 2 * radius; ++j) {
            sum += tile[threadIdx.y + i][threadIdx.x + j];
        }
    }
    const int high = min(rows - 1, row + radius) - max(0, row - radius) + 1;
    const int wide = min(cols - 1, col + radius) - max(0, col - radius) + 1;
    blurred[row * cols + col] = sum / (high * wide);
}
