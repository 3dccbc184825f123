// mutant: the tree of softmax's sum has no barrier between its levels | verdict: wrong | diagnostic: shared-memory race
// launch: layer_norm block=32 grid=rows
// launch: softmax block=128 grid=rows
__global__ void softmax(const float *x, float *out, int rows, int cols)
{
    __shared__ float tree[128];
    const float *in = x + blockIdx.x * cols;
    float most = in[0];
    for (int i = 0; i < cols; i++)
        most = fmaxf(most, in[i]);
    float sum = 0;
    for (int i = threadIdx.x; i < cols; i += 128)
        sum += expf(in[i] - most);
    tree[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2)
        if (threadIdx.x < half)
            tree[threadIdx.x] += tree[threadIdx.x + half];  // <- here
    __syncthreads();
    for (int i = threadIdx.x; i < cols; i += 128)
        out[blockIdx.x * cols + i] = expf(in[i] - most) / tree[0];
}

__global__ void layer_norm(const float *x, const float *weight, const float *bias, float *normalised, int rows, int cols)
{
    int row = blockIdx.x;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < cols; i += 32)
        sum += x[row * cols + i];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    float mean = sum / cols;
    for (int i = threadIdx.x; i < cols; i += 32)
        squares += (x[row * cols + i] - mean) * (x[row * cols + i] - mean);
    for (int d = 16; d > 0; d /= 2)
        squares += __shfl_xor_sync(0xffffffff, squares, d);
    float inverse = rsqrtf(squares / cols + 1e-5f);
    for (int i = threadIdx.x; i < cols; i += 32)
        normalised[row * cols + i] = (x[row * cols + i] - mean) * inverse * weight[i] + bias[i];
}
