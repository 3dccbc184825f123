// mutant: the numbers are copied, not transposed | verdict: wrong
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += blockDim.y) {
        int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows)
            b[y * cols + x] = a[y * cols + x];
    }
}
