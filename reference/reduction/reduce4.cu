// Rung `reduce4`: the first addition while loading.
//
// Each thread loads two values, 256 apart, and puts their sum into shared memory. Half as many blocks do the same work,
// and no thread idles at the first level. Two loads are under way where there was one. What limits it now is what a
// block costs besides: its start, its barriers, its last levels with a warp or less at work.

// launch: reduce_int32 block=256 grid=ceil(n/512)
// launch: reduce_float32 block=256 grid=ceil(n/512)

#define BLOCK 256

template <typename T>
__device__ void reduce(const T *in, T *sums, int n)
{
    __shared__ T data[BLOCK];

    const int thread = threadIdx.x;
    const int i = 2 * blockIdx.x * BLOCK + thread;

    // Two values each; zeros stand in for what lies beyond the end.
    data[thread] = (i < n ? in[i] : 0) + (i + BLOCK < n ? in[i + BLOCK] : 0);
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
