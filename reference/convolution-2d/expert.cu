// Rung `expert`: a tile of 32 x 32 pixels, with a relatively smaller halo, and four pixels below each other per
// thread. The pixels of a column move through registers, so each is loaded once for up to four sums; a version for each
// size of the mask unrolls everything.
//
// launch: convolve block=32,8 grid=ceil(cols/32),ceil(rows/32)

#define TILE 32
#define ROWS 8
#define PER_THREAD (TILE / ROWS)
#define MOST 9
#define WIDTH (TILE + MOST - 1)

template <int M>
__device__ void convolve_tile(const float *__restrict__ image, const float *__restrict__ mask, float *__restrict__ out,
                              int rows, int cols, float tile[WIDTH][WIDTH], float *weights)
{
    const int top = blockIdx.y * TILE - M / 2;
    const int left = blockIdx.x * TILE - M / 2;
    for (int i = threadIdx.y; i < TILE + M - 1; i += ROWS) {
        for (int j = threadIdx.x; j < TILE + M - 1; j += TILE) {
            const int r = top + i;
            const int c = left + j;
            tile[i][j] = r >= 0 && r < rows && c >= 0 && c < cols ? image[r * cols + c] : 0.0f;
        }
    }
    const int thread = threadIdx.y * TILE + threadIdx.x;
    if (thread < M * M) {
        weights[thread] = mask[thread];
    }
    __syncthreads();

    const int first = threadIdx.y * PER_THREAD;
    float sum[PER_THREAD] = {};
#pragma unroll
    for (int j = 0; j < M; ++j) {
        float pixels[PER_THREAD + M - 1];
#pragma unroll
        for (int i = 0; i < PER_THREAD + M - 1; ++i) {
            pixels[i] = tile[first + i][threadIdx.x + j];
        }
#pragma unroll
        for (int i = 0; i < M; ++i) {
            const float weight = weights[i * M + j];
#pragma unroll
            for (int k = 0; k < PER_THREAD; ++k) {
                sum[k] += weight * pixels[i + k];
            }
        }
    }
    const int col = blockIdx.x * TILE + threadIdx.x;
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k) {
        const int row = blockIdx.y * TILE + first + k;
        if (row < rows && col < cols) {
            out[row * cols + col] = sum[k];
        }
    }
}

__global__ void convolve(const float *image, const float *mask, float *out, int rows, int cols, int m)
{
    __shared__ float tile[WIDTH][WIDTH];
    __shared__ float weights[MOST * MOST];

    switch (m) {
    case 1: convolve_tile<1>(image, mask, out, rows, cols, tile, weights); break;
    case 3: convolve_tile<3>(image, mask, out, rows, cols, tile, weights); break;
    case 5: convolve_tile<5>(image, mask, out, rows, cols, tile, weights); break;
    case 7: convolve_tile<7>(image, mask, out, rows, cols, tile, weights); break;
    case 9: convolve_tile<9>(image, mask, out, rows, cols, tile, weights); break;
    }
}
