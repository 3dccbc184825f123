// mutant: the last warp unrolled as in the source, without __syncwarp | verdict: wrong | diagnostic: missing warp synchronisation
// launch: reduce_int32 block=256 grid=ceil(n/512)
// launch: reduce_float32 block=256 grid=ceil(n/512)
template <typename T>
__device__ void sum_up(const T *in, T *out, int n)
{
    __shared__ T data[256];
    int tid = threadIdx.x;
    int i = 2 * blockIdx.x * blockDim.x + tid;
    data[tid] = 0;
    if (i < n)
        data[tid] = in[i];
    if (i + blockDim.x < n)
        data[tid] += in[i + blockDim.x];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s)
            data[tid] += data[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        data[tid] += data[tid + 32];  // <- here
        data[tid] += data[tid + 16];  // <- here
        data[tid] += data[tid + 8];  // <- here
        data[tid] += data[tid + 4];  // <- here
        data[tid] += data[tid + 2];  // <- here
        data[tid] += data[tid + 1];  // <- here
    }
    if (tid == 0)
        out[blockIdx.x] = data[0];  // <- here
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    sum_up(a, a_sums, n);
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    sum_up(x, x_sums, n);
}
