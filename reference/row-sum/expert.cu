// Rung `expert`: one block of 256 threads per row, loads of 16 bytes, warp shuffles.
//
// No tile is needed: neighbouring threads read neighbouring elements of the row anyway, each keeps its own sum in a
// register, and only eight numbers of a row ever pass through shared memory. A row has two barriers less for every 32
// columns, and each thread has several loads on their way. It takes about as long as reading the matrix takes.
// Only rows so short that a thread has one load to do, a thousand elements, would gain if each had only a warp.

#include "rows.cuh"

struct Sum {
    static __device__ float neutral() { return 0.0f; }
    static __device__ float add(float total, float x) { return total + x; }
    static __device__ float merge(float one, float other) { return one + other; }
};

// launch: row_sum_shared_padded block=256 grid=rows
__global__ void row_sum_shared_padded(const float *a, float *out, int rows, int cols)
{
    const int row = blockIdx.x;
    const float share = fold_share<Sum>(a + (size_t)row * cols, cols);
    const float sum = merge_block<Sum>(share);
    if (threadIdx.x == 0) {
        out[row] = sum;
    }
}
