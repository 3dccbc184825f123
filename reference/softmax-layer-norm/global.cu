// Rung `global`: one thread per row, which passes over its row for each number that it needs. Neighbouring threads read
// elements that lie a row apart.

__global__ void softmax(const float *x, float *out, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    const float *in = x + (size_t)row * cols;
    float *result = out + (size_t)row * cols;
    float most = in[0];
    for (int i = 1; i < cols; ++i) {
        most = fmaxf(most, in[i]);
    }
    float sum = 0.0f;
    for (int i = 0; i < cols; ++i) {
        sum += expf(in[i] - most);
    }
    for (int i = 0; i < cols; ++i) {
        result[i] = expf(in[i] - most) / sum;
    }
}

__global__ void layer_norm(const float *x, const float *weight, const float *bias, float *normalised, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) {
        return;
    }
    const float *in = x + (size_t)row * cols;
    float *result = normalised + (size_t)row * cols;
    float sum = 0.0f;
    for (int i = 0; i < cols; ++i) {
        sum += in[i];
    }
    const float mean = sum / cols;
    float squares = 0.0f;
    for (int i = 0; i < cols; ++i) {
        squares += (in[i] - mean) * (in[i] - mean);
    }
    const float inverse = rsqrtf(squares / cols + 1e-5f);
    for (int i = 0; i < cols; ++i) {
        result[i] = (in[i] - mean) * inverse * weight[i] + bias[i];
    }
}
