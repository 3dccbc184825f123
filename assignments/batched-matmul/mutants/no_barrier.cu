// mutant: multiplies before both factors are there | verdict: wrong | diagnostic: shared-memory race
// launch: batched_matmul block=32,8 grid=batch
__global__ void batched_matmul(const float *a, const float *b, float *c, int batch, int n)
{
    __shared__ float left[1024], right[1024];
    int first = blockIdx.x * n * n;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < n * n; i += 256) {
        left[i] = a[first + i];  // <- here
        right[i] = b[first + i];  // <- here
    }
    if (threadIdx.x >= n) return;
    for (int row = threadIdx.y; row < n; row += 8) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += left[row * n + k] * right[k * n + threadIdx.x];  // <- here
        c[first + row * n + threadIdx.x] = sum;
    }
}
