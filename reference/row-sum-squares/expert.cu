// Rung `expert`: one block of 256 threads per row, loads of 16 bytes, warp shuffles.
//
// The elements of a row need no transposing when all threads of a block work on the same row. Each squares what it
// reads, by one fused multiply-add per element, and the 256 sums meet in a tree: first by shuffles in each warp,
// then eight numbers by way of shared memory. Squares are taken once, in add(); merge() must not square again.
// What limits it is memory alone: the arithmetic hides behind the loads.
// Rows of a thousand elements, though, are short work for 256 threads: a warp for each would do better there.

#include "rows.cuh"

struct SumOfSquares {
    static __device__ float neutral() { return 0.0f; }
    static __device__ float add(float total, float x) { return fmaf(x, x, total); }
    static __device__ float merge(float one, float other) { return one + other; }
};

// launch: row_sum_squares_shared_padded block=256 grid=rows
__global__ void row_sum_squares_shared_padded(const float *a, float *out, int rows, int cols)
{
    const int row = blockIdx.x;
    const float share = fold_share<SumOfSquares>(a + (size_t)row * cols, cols);
    const float sum = merge_block<SumOfSquares>(share);
    if (threadIdx.x == 0) {
        out[row] = sum;
    }
}
