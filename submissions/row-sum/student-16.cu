__global__ void row_sum_global(const float *a, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int i = 0; i < cols; i++)
            sum += a[row * cols + i];
        out[row] = sum;
    }
}

__device__ void add_up(const float *a, float *out, int rows, int cols, float *sums)
{
    if (threadIdx.y == 0)
        sums[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8) {
        int row = blockIdx.x * 32 + i;
        if (row < rows)
            for (int col = threadIdx.x; col < cols; col += 32)
                atomicAdd(&sums[i], a[row * cols + col]);
    }
    __syncthreads();
    int row = blockIdx.x * 32 + threadIdx.x;
    if (threadIdx.y == 0 && row < rows)
        out[row] = sums[threadIdx.x];
}

__global__ void row_sum_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float sums[32];
    add_up(a, out, rows, cols, sums);
}

__global__ void row_sum_shared_padded(const float *a, float *out, int rows, int cols)
{
    __shared__ float sums[33];
    add_up(a, out, rows, cols, sums);
}
