// One template for all three: STRIDE is the distance between the rows of the tile.
#include <math.h>

#define ROWS 32
#define COLS 32

extern "C" __global__ void row_max_global(const float *__restrict__ a, float *__restrict__ out, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float *p = a + (size_t)row * cols;
    float m = p[0];
    for (int i = 1; i < cols; ++i) m = fmaxf(m, p[i]);
    out[row] = m;
}

template <int STRIDE>
__device__ void tiled(const float *a, float *out, int rows, int cols)
{
    __shared__ float tile[ROWS * STRIDE];
    const int lane = threadIdx.x, warp = threadIdx.y, first = blockIdx.x * ROWS;
    float m = -INFINITY;
    for (int c = 0; c < cols; c += COLS) {
        for (int r = warp; r < ROWS; r += 8)
            tile[r * STRIDE + lane] = first + r < rows && c + lane < cols
                                          ? a[(size_t)(first + r) * cols + c + lane] : -INFINITY;
        __syncthreads();
        for (int k = warp; k < COLS; k += 8) m = fmaxf(m, tile[lane * STRIDE + k]);
        __syncthreads();
    }
    tile[warp * STRIDE + lane] = m;
    __syncthreads();
    if (warp == 0 && first + lane < rows) {
        for (int k = 1; k < 8; ++k) m = fmaxf(m, tile[k * STRIDE + lane]);
        out[first + lane] = m;
    }
}

extern "C" __global__ void row_max_shared(const float *a, float *out, int rows, int cols)
{
    tiled<32>(a, out, rows, cols);
}

extern "C" __global__ void row_max_shared_padded(const float *a, float *out, int rows, int cols)
{
    tiled<33>(a, out, rows, cols);
}
