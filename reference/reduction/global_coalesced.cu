// Rung `global_coalesced`: a tree in global memory, far elements first.
//
// The first half of a block adds the second half, then the first quarter the second, ... The threads that still work
// are neighbours and so are their values: a level has half the requests of the one before, each of them coalesced, and
// whole warps fall idle instead of parts of all. What is left is the way to global memory and back at every
// level, which nothing but another memory can spare.

template <typename T>
__device__ void reduce(const T *in, T *sums, T *work, int n)
{
    const int thread = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + thread;

    if (i < n) {
        work[i] = in[i];
    }
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (thread < s && i + s < n) {
            work[i] += work[i + s];
        }
        __syncthreads();
    }
    if (thread == 0) {
        sums[blockIdx.x] = work[i];
    }
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    reduce(a, a_sums, work, n);
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    reduce(x, x_sums, work, n);
}
