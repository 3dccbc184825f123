// mutant: takes working memory for a copy of the values | verdict: wrong | diagnostic: uninitialised read
template <typename T>
__device__ void sum_up(const T *in, T *out, T *work, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s && i + s < n)
            work[i] += work[i + s];  // <- here
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = work[i];  // <- here
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    sum_up(a, a_sums, work, n);
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    sum_up(x, x_sums, work, n);
}
