// mutant: mirrors the elements inside each block, but leaves the block where it was | verdict: wrong
__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    if (blockIdx.x < blockIdx.y)
        return;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int mi = blockIdx.y * blockDim.y + threadIdx.x;
    int mj = blockIdx.x * blockDim.x + threadIdx.y;
    if (i < m && j < m) {
        float s = 0;
        for (int p = 0; p < k; p++)
            s += a[i * k + p] * a[j * k + p];
        c[i * m + j] = s;
        if (blockIdx.x > blockIdx.y && mi < m && mj < m)
            c[mi * m + mj] = s;  // <- here
    }
}
