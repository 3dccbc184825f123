// Rung `reduce2`: the same additions as in `reduce1`, done by the first threads of the block.
//
// Thread t takes pair number t, so that the threads that work are neighbours: whole warps fall idle, hardly a warp
// is divided. But now the lanes of one warp read at a distance of 2, 4, 8, ... elements, which lie in
// every second, fourth, ... bank only: conflicts of 2, 4, 8 ways. On the device of the source that was the smaller evil;
// today the conflicts may cost more than the divided warps did.

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
        const int left = 2 * s * thread;
        if (left < BLOCK) {
            data[left] += data[left + s];
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
