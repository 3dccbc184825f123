// mutant: reverse_segments reads another thread's element before it is there | verdict: wrong | diagnostic: shared-memory race | beside: maps, expert
__global__ void reverse_segments(const float *x, float *backwards, int n)
{
    __shared__ float segment[256];
    int i = threadIdx.x, first = blockIdx.x * 256, length = min(256, n - first);
    if (i >= length) return;
    segment[i] = x[first + i];  // <- here
    backwards[first + i] = segment[length - 1 - i];  // <- here
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
