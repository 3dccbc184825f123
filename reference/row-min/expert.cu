// Rung `expert`: 256 threads share a row; shuffles find the smallest of what they found.
//
// The tile was a detour: it let a lane own a row. If all lanes work on the same row instead, coalesced loads need no
// tile, each 16 bytes wide where the row allows it. Only one number of every warp goes through shared memory. A large
// matrix is read at nearly the full speed of memory.

#include "rows.cuh"

struct Smallest {
    static __device__ float neutral() { return INFINITY; }
    static __device__ float add(float smallest, float x) { return fminf(smallest, x); }
    static __device__ float merge(float one, float other) { return fminf(one, other); }
};

// launch: row_min_shared_padded block=256 grid=rows
__global__ void row_min_shared_padded(const float *a, float *out, int rows, int cols)
{
    const int row = blockIdx.x;
    const float found = fold_share<Smallest>(a + (size_t)row * cols, cols);
    const float smallest = merge_block<Smallest>(found);
    if (threadIdx.x == 0) {
        out[row] = smallest;
    }
}
