// mutant: only one triangle of the symmetric C is computed, the other never written | verdict: wrong
__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < m && j <= i) {
        float s = 0;
        for (int p = 0; p < k; p++)
            s += a[i * k + p] * a[j * k + p];
        c[i * m + j] = s;
    }
}
