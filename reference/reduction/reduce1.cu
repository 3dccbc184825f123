// Rung `reduce1`: a tree in shared memory, neighbours first.
//
// Global memory is read once, coalesced; the tree is built in shared memory, which answers ten times as fast. But the
// threads that work are every second, every fourth, ... of a warp: the others wait at the branch, and all eight warps of
// the block take part down to the fifth level, with ever fewer lanes. The remainder in the condition costs too.

#define BLOCK 256

template <typename T>
__device__ void reduce(const T *in, T *sums, int n)
{
    __shared__ T data[BLOCK];

    const int thread = threadIdx.x;
    const int i = blockIdx.x * BLOCK + thread;

    // Zeros stand in for what lies beyond the end: they add nothing, and every thread reaches the barriers.
    data[thread] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < BLOCK; s *= 2) {
        if (thread % (2 * s) == 0) {
            data[thread] += data[thread + s];
        }
        __syncthreads();
    }
    if (thread == 0) {
        sums[blockIdx.x] = data[0];
    }
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    reduce(a, a_sums, n);
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    reduce(x, x_sums, n);
}
