// mutant: both factors are cut to the 10 fraction bits of tf32 | verdict: wrong
__device__ float tf32(float x)
{
    return __int_as_float(__float_as_int(x) & 0xffffe000);
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++)
            sum += tf32(a[row * k + i]) * tf32(b[i * n + col]);
        c[row * n + col] = sum;
    }
}
