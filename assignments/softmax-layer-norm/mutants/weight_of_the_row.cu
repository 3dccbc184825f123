// mutant: layer_norm takes weight and bias by row, not by column | verdict: crashed | diagnostic: out of bounds
__global__ void layer_norm(const float *x, const float *weight, const float *bias, float *normalised, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0, squares = 0;
    for (int i = 0; i < cols; i++)
        sum += x[row * cols + i];
    float mean = sum / cols;
    for (int i = 0; i < cols; i++)
        squares += (x[row * cols + i] - mean) * (x[row * cols + i] - mean);
    float inverse = rsqrtf(squares / cols + 1e-5f);
    for (int i = 0; i < cols; i++)
        normalised[row * cols + i] = (x[row * cols + i] - mean) * inverse * weight[row] + bias[row];  // <- here
}

__global__ void softmax(const float *x, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float most = x[row * cols], sum = 0;
    for (int i = 0; i < cols; i++)
        most = fmaxf(most, x[row * cols + i]);
    for (int i = 0; i < cols; i++)
        sum += expf(x[row * cols + i] - most);
    for (int i = 0; i < cols; i++)
        out[row * cols + i] = expf(x[row * cols + i] - most) / sum;
}
