// Rung `expert`: the first blocks take 8 columns each, all others a row each; 256 threads in a block.
//
// A row is added up by a whole block with loads of 16 bytes and warp shuffles. Eight columns are as narrow as a band can
// be: 8 floats fill a sector, so no byte is read in vain, and there are many bands to keep the device busy. A warp
// reads four rows of its band at once, every thread has eight loads on their way. Bands have the longest way to
// go, so they start first; the thousands of short rows fill the device around them.
//
// The matrix is read twice, and that is the limit now: to add up rows and columns from one reading, blocks would have
// to add to each other's sums, by atomic additions or by a second launch, and this task allows neither.
// Nor is one width of a band the best for all: at 8192 columns there are blocks enough, and bands of 32 columns would
// be a fifth faster; with 65536 rows of 1024 elements bands of 8 are more than twice as fast.

#include "rows.cuh"

#define BAND 8
#define STEP (WARPS * WARP / BAND)  // rows of a band that the block reads at once
#define AT_ONCE 8

struct Sum {
    static __device__ float neutral() { return 0.0f; }
    static __device__ float add(float total, float x) { return total + x; }
    static __device__ float merge(float one, float other) { return one + other; }
};

__device__ void mean_of_row(const float *a, float *row_means, int row, int cols)
{
    const float share = fold_share<Sum>(a + (size_t)row * cols, cols);
    const float sum = merge_block<Sum>(share);
    if (threadIdx.x == 0) {
        row_means[row] = sum / cols;
    }
}

__device__ void means_of_columns(const float *a, float *column_means, int col0, int rows, int cols)
{
    __shared__ float of_warp[WARPS][BAND];

    const int col = col0 + threadIdx.x % BAND;
    const int warp = threadIdx.x / WARP;

    float sum = 0.0f;
    if (col < cols) {
        int row = threadIdx.x / BAND;
        for (; row + (AT_ONCE - 1) * STEP < rows; row += AT_ONCE * STEP) {
            float x[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) {
                x[k] = a[(size_t)(row + k * STEP) * cols + col];
            }
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) {
                sum += x[k];
            }
        }
        for (; row < rows; row += STEP) {
            sum += a[(size_t)row * cols + col];
        }
    }
    // Every eighth lane has the same column: 32 lanes become eight.
    for (int distance = WARP / 2; distance >= BAND; distance /= 2) {
        sum += __shfl_down_sync(FULL_MASK, sum, distance);
    }
    if (threadIdx.x % WARP < BAND) {
        of_warp[warp][threadIdx.x % BAND] = sum;
    }
    __syncthreads();
    if (threadIdx.x < BAND && col < cols) {
        for (int i = 1; i < WARPS; ++i) {
            sum += of_warp[i][threadIdx.x];
        }
        column_means[col] = sum / rows;
    }
}

// launch: row_mean_shared_padded block=256 grid=rows+ceil(cols/8)
__global__ void row_mean_shared_padded(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    const int bands = (cols + BAND - 1) / BAND;
    const int block = blockIdx.x;
    if (block < bands) {
        means_of_columns(a, column_means, block * BAND, rows, cols);
    } else {
        mean_of_row(a, row_means, block - bands, cols);
    }
}
