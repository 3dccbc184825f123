// mutant: softmax begins its search for the largest element at zero, wrong where all are far below | verdict: wrong
// launch: layer_norm block=32 grid=rows
// launch: softmax block=32 grid=rows
__global__ void softmax(const float *x, float *out, int rows, int cols)
{
    const float *in = x + blockIdx.x * cols;
    float most = 0;
    for (int i = threadIdx.x; i < cols; i += 32)
        most = fmaxf(most, in[i]);
    for (int d = 16; d > 0; d /= 2)
        most = fmaxf(most, __shfl_down_sync(0xffffffff, most, d));
    float sum = 0;
    for (int i = threadIdx.x; i < cols; i += 32)
        sum += expf(in[i] - most);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    for (int i = threadIdx.x; i < cols; i += 32)
        out[blockIdx.x * cols + i] = expf(in[i] - most) / sum;
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
