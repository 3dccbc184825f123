// Вариант 1, скалярное произведение.

#define N 2048

__global__ void dot_product_global(const float *x, const float *y, float *out, float *work, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    int a = 32 * i, b = 32 * i + 32;
    float s = 0;
    for (int k = a; k < b && k < n; k++)
        s += x[k] * y[k];
    if (a < n)
        work[i] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = i + 1; k < i + 64 && 32 * k < n; k++)
            s += work[k];
        out[blockIdx.x] = s;
    }
}

__global__ void dot_product_shared(const float *x, const float *y, float *out, float *work, int n)
{
    __shared__ float p[N];
    __shared__ float sums[64];
    int t = threadIdx.x;
    int k0 = blockIdx.x * N;
    for (int k = t; k < N; k += 64)
        p[k] = k0 + k < n ? x[k0 + k] * y[k0 + k] : 0;
    __syncthreads();
    float s = 0;
    for (int k = 0; k < 32; k++)
        s += p[32 * t + k];
    sums[t] = s;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 64; k++)
            s += sums[k];
        out[blockIdx.x] = s;
    }
}

// с выравниванием: после каждых 32 элементов один лишний
__global__ void dot_product_shared_padded(const float *x, const float *y, float *out, float *work, int n)
{
    __shared__ float p[N + N / 32];
    __shared__ float sums[64];
    int t = threadIdx.x;
    int k0 = blockIdx.x * N;
    for (int k = t; k < N; k += 64)
        p[k + k / 32] = k0 + k < n ? x[k0 + k] * y[k0 + k] : 0;
    __syncthreads();
    float s = 0;
    for (int k = 0; k < 32; k++)
        s += p[33 * t + k];
    sums[t] = s;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 64; k++)
            s += sums[k];
        out[blockIdx.x] = s;
    }
}
