// mutant: strided indices in shared memory: right, but every level has bank conflicts | verdict: accepted | part: technique
template <typename T>
__device__ void sum_up(const T *in, T *out, int n)
{
    __shared__ T data[256];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    data[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x)
            data[index] += data[index + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = data[0];
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    sum_up(a, a_sums, n);
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    sum_up(x, x_sums, n);
}
