// Rung `windows`: segments and windows that threads load into shared memory together. A window of three is read from
// global memory: the caches serve it.

#define SEGMENT 256
#define TAPS 8

__global__ void reverse_segments(const float *x, float *backwards, int n)
{
    __shared__ float segment[SEGMENT];
    const int first = blockIdx.x * SEGMENT;
    const int length = min(SEGMENT, n - first);
    const int i = threadIdx.x;
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
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
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

__global__ void convolve(const float *x, const float *weights, float *convolved, int n, int taps)
{
    __shared__ float tile[SEGMENT + TAPS - 1];
    const int first = blockIdx.x * SEGMENT;
    for (int i = threadIdx.x; i < SEGMENT + taps - 1; i += SEGMENT) {
        tile[i] = first + i < n ? x[first + i] : 0.0f;
    }
    __syncthreads();
    const int i = first + threadIdx.x;
    if (i >= n) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < taps; ++k) {
        sum += weights[k] * tile[threadIdx.x + k];
    }
    convolved[i] = sum;
}
