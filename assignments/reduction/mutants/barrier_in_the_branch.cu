// mutant: a barrier in the branch of the threads that add, and it happens to be right | verdict: wrong | diagnostic: divergent barrier | part: correctness | loses: 30
template <typename T>
__device__ void reduce(const T *in, T *sums, int n)
{
    __shared__ T data[256];
    const int thread = threadIdx.x, i = blockIdx.x * 256 + thread;
    data[thread] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (thread < s) {
            data[thread] += data[thread + s];
            __syncthreads();  // <- here
        } else {
            __syncthreads();  // <- here
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
