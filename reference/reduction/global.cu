// Rung `global`: a tree in global memory, neighbours first.
//
// A block copies its 256 values into working memory and adds neighbours, then sums of neighbours, at distances 1,
// 2, 4, ... Each level halves the threads that still work, but they stay as far apart as the values: a warp touches
// all its sectors again at every level, for ever fewer additions, and all of its threads wait for the few. Every
// level travels through global memory and waits for it.

template <typename T>
__device__ void reduce(const T *in, T *sums, T *work, int n)
{
    const int thread = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + thread;

    if (i < n) {
        work[i] = in[i];
    }
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (thread % (2 * s) == 0 && i + s < n) {
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
