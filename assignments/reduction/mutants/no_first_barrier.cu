// mutant: adds before everybody has loaded | verdict: wrong | diagnostic: shared-memory race
template <typename T>
__device__ void sum_up(const T *in, T *out, int n)
{
    __shared__ T buf[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    buf[t] = i < n ? in[i] : 0;  // <- here
    for (int s = 128; s > 0; s >>= 1) {
        if (t < s)
            buf[t] += buf[t + s];  // <- here
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = buf[0];
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    sum_up(a, a_sums, n);
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    sum_up(x, x_sums, n);
}
