// Right, and in every run far below the limit of one run.
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    volatile int x = 0;
    if (threadIdx.x == 0 && blockIdx.x == 0)
        for (int i = 0; i < 4000000; ++i) x = x * 5 + i;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}
