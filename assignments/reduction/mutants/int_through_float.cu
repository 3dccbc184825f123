// mutant: one function for both types, and it computes in float | verdict: wrong
__device__ float block_sum(float value)
{
    __shared__ float data[256];
    int tid = threadIdx.x;
    data[tid] = value;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (tid < s)
            data[tid] += data[tid + s];
        __syncthreads();
    }
    return data[0];
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = block_sum(i < n ? a[i] : 0);
    if (threadIdx.x == 0)
        a_sums[blockIdx.x] = sum;
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = block_sum(i < n ? x[i] : 0.0f);
    if (threadIdx.x == 0)
        x_sums[blockIdx.x] = sum;
}
