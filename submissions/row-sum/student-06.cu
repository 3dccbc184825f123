// One block per row, tree reduction in dynamic shared memory.
//
// launch: row_sum_shared block=256 grid=rows shared=block*4
// launch: row_sum_shared_padded block=256 grid=rows shared=(block+block//32)*4

extern "C" __global__ void row_sum_global(const float *a, float *out, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float s = 0.0f;
        for (int c = 0; c < cols; ++c)
            s += a[(size_t)r * cols + c];
        out[r] = s;
    }
}

extern __shared__ float part[];

__device__ float strided_sum(const float *row, int cols)
{
    float s = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        s += row[c];
    return s;
}

// neighbours first: stride 1, 2, 4, ... every step doubles the bank conflicts
extern "C" __global__ void row_sum_shared(const float *a, float *out, int rows, int cols)
{
    int t = threadIdx.x;
    part[t] = strided_sum(a + (size_t)blockIdx.x * cols, cols);
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        int i = 2 * s * t;
        if (i + s < blockDim.x)
            part[i] += part[i + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

// the same with one unused float after every 32
#define PAD(i) ((i) + (i) / 32)

extern "C" __global__ void row_sum_shared_padded(const float *a, float *out, int rows, int cols)
{
    int t = threadIdx.x;
    part[PAD(t)] = strided_sum(a + (size_t)blockIdx.x * cols, cols);
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s)
            part[PAD(t)] += part[PAD(t + s)];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}
