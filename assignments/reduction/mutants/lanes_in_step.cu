// mutant: the last warp adds without __syncwarp, and happens to be right | verdict: wrong | diagnostic: missing warp synchronisation | part: correctness | loses: 30
template <typename T>
__device__ void reduce(const T *in, T *sums, int n)
{
    __shared__ volatile T data[256];
    const int thread = threadIdx.x, i = blockIdx.x * 256 + thread;
    data[thread] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 128; s > 16; s /= 2) {
        T other = thread < s ? data[thread + s] : 0;
        if (thread < s)
            data[thread] += other;
        __syncthreads();
    }
    if (thread < 32) {
        for (int s = 16; s > 0; s /= 2) {
            T both = data[thread] + data[thread + s];  // <- here
            data[thread] = both;  // <- here
        }
    }
    if (thread == 0)
        sums[blockIdx.x] = data[0];
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    reduce(a, a_sums, n);
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    reduce(x, x_sums, n);
}
