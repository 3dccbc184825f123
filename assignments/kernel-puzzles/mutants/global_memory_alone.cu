// mutant: convolve is right, but without shared memory | verdict: accepted | part: technique | loses: 4 | beside: maps, expert
__global__ void convolve(const float *x, const float *weights, float *convolved, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < taps && i + k < n; k++)
        sum += weights[k] * x[i + k];
    convolved[i] = sum;
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

__global__ void pool(const float *x, float *pooled, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float sum = x[i];
    if (i >= 1) {
        sum += x[i - 1];
    }
    if (i >= 2) {
        sum += x[i - 2];
    }
    pooled[i] = sum;
}
