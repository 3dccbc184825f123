// Rung `shared`: a block of 16 x 16 threads loads its tile with a halo of up to four pixels on each side, zeros where
// the image ends, and the mask. The sum then needs no question.

#define TILE 16
#define MOST 9
#define WIDTH (TILE + MOST - 1)

// launch: convolve block=16,16 grid=ceil(cols/16),ceil(rows/16)
__global__ void convolve(const float *image, const float *mask, float *out, int rows, int cols, int m)
{
    __shared__ float tile[WIDTH][WIDTH];
    __shared__ float weights[MOST * MOST];

    const int radius = m / 2;
    const int width = TILE + m - 1;
    const int top = blockIdx.y * TILE - radius;
    const int left = blockIdx.x * TILE - radius;
    for (int i = threadIdx.y; i < width; i += TILE) {
        for (int j = threadIdx.x; j < width; j += TILE) {
            const int r = top + i;
            const int c = left + j;
            tile[i][j] = r >= 0 && r < rows && c >= 0 && c < cols ? image[r * cols + c] : 0.0f;
        }
    }
    const int thread = threadIdx.y * TILE + threadIdx.x;
    if (thread < m * m) {
        weights[thread] = mask[thread];
    }
    __syncthreads();

    float sum = 0.0f;
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) {
            sum += weights[i * m + j] * tile[threadIdx.y + i][threadIdx.x + j];
        }
    }
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    if (row < rows && col < cols) {
        out[row * cols + col] = sum;
    }
}
