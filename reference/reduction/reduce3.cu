// Rung `reduce3`: far elements first.
//
// Half of the block adds the other half. The lanes of a warp read neighbouring elements, each in a bank of its own:
// no conflicts, no divided warps but the last. What is left: half of the threads do nothing but load one value, and
// a block does little more than start, load and wait at barriers.

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
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (thread < s) {
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
