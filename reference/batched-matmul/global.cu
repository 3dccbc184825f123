// Rung `global`: one thread per element of any of the matrices. A warp reads one row of A, element by element, and B's
// rows.

__global__ void batched_matmul(const float *a, const float *b, float *c, int batch, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * n * n) {
        return;
    }
    const int first = i / (n * n) * n * n;
    const int row = i % (n * n) / n;
    const int col = i % n;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        sum += a[first + row * n + k] * b[first + k * n + col];
    }
    c[i] = sum;
}
