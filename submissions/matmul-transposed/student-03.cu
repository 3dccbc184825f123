// C = A * A^T. C is symmetric so I only compute the upper half and copy it.
__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;

    if (i > j) {
        // lower half: the upper one is already there
        if (i < m)
            c[i * m + j] = c[j * m + i];
        return;
    }
    if (j < m) {
        float sum = 0.0f;
        for (int p = 0; p < k; p++)
            sum += a[i * k + p] * a[j * k + p];
        c[i * m + j] = sum;
    }
}
