// mutant: loads the next piece of x while others still use this one | verdict: wrong | diagnostic: shared-memory race
__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    __shared__ float xs[256];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int c0 = 0; c0 < cols; c0 += 256) {
        int c = c0 + threadIdx.x;
        xs[threadIdx.x] = c < cols ? x[c] : 0.0f;
        __syncthreads();
        if (row < rows)
            for (int i = 0; i < 256 && c0 + i < cols; i++)
                sum += a[row * cols + c0 + i] * xs[i];  // <- here
    }
    if (row < rows)
        y[row] = sum;
}
