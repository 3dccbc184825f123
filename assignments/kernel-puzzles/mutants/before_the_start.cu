// mutant: pool reads elements before the first | verdict: crashed | diagnostic: out of bounds | beside: maps, expert
__global__ void pool(const float *x, float *pooled, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) pooled[i] = x[i] + x[i - 1] + x[i - 2];  // <- here
}

__global__ void reverse_segments(const float *x, float *backwards, int n)
{
    __shared__ float segment[256];
    int first = blockIdx.x * 256;
    int length = min(256, n - first);
    int i = threadIdx.x;
    if (i < length) {
        segment[i] = x[first + i];
    }
    __syncthreads();
    if (i < length) {
        backwards[first + i] = segment[length - 1 - i];
    }
}

__global__ void convolve(const float *x, const float *weights, float *convolved, int n, int taps)
{
    __shared__ float tile[263];
    int first = blockIdx.x * 256;
    for (int i = threadIdx.x; i < 256 + taps - 1; i += 256) {
        tile[i] = first + i < n ? x[first + i] : 0.0f;
    }
    __syncthreads();
    int i = first + threadIdx.x;
    if (i >= n) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < taps; ++k) {
        sum += weights[k] * tile[threadIdx.x + k];
    }
    convolved[i] = sum;
}
