// mutant: a single block that adds up the first thousand values | verdict: wrong
// launch: reduce_int32 block=256 grid=1
// launch: reduce_float32 block=256 grid=1
template <typename T>
__device__ void sum_up(const T *in, T *out, int n)
{
    __shared__ T part[1000];
    for (int i = threadIdx.x; i < 1000; i += blockDim.x)
        part[i] = i < n ? in[i] : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        T sum = 0;
        for (int i = 0; i < 1000; ++i)
            sum += part[i];
        out[0] = sum;
    }
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    sum_up(a, a_sums, n);
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    sum_up(x, x_sums, n);
}
