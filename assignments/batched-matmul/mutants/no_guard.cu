// mutant: threads beyond the last element compute too | verdict: crashed | diagnostic: out of bounds
__global__ void batched_matmul(const float *a, const float *b, float *c, int batch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = i / (n * n) * n * n, row = i % (n * n) / n, col = i % n;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[first + row * n + k] * b[first + k * n + col];  // <- here
    c[i] = sum;  // <- here
}
