// mutant: loads a whole block whatever n is | verdict: crashed | diagnostic: out of bounds
template <typename T>
__device__ void sum_up(const T *in, T *out)
{
    __shared__ T data[256];
    int tid = threadIdx.x;
    data[tid] = in[blockIdx.x * 256 + tid];  // <- here
    __syncthreads();
    for (int s = 128; s > 0; s >>= 1) {
        if (tid < s)
            data[tid] += data[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = data[0];
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    sum_up(a, a_sums);
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    sum_up(x, x_sums);
}
