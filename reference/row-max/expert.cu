// Rung `expert`: a block of 256 threads for every row, loads of 16 bytes, warp shuffles.
//
// A maximum does not care in which order it is found, so no thread needs a row of its own: each compares every 256th
// quad of elements, and 256 candidates become one by shuffles, with eight numbers through shared memory. The row is read
// once, in whole sectors, with several loads on their way: the speed of memory is what is left to wait for.

#include "rows.cuh"

struct Largest {
    static __device__ float neutral() { return -INFINITY; }
    static __device__ float add(float largest, float x) { return fmaxf(largest, x); }
    static __device__ float merge(float one, float other) { return fmaxf(one, other); }
};

// launch: row_max_shared_padded block=256 grid=rows
__global__ void row_max_shared_padded(const float *a, float *out, int rows, int cols)
{
    const int row = blockIdx.x;
    const float largest = merge_block<Largest>(fold_share<Largest>(a + (size_t)row * cols, cols));
    if (threadIdx.x == 0) {
        out[row] = largest;
    }
}
