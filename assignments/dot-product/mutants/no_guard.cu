// mutant: every thread takes 32 products, whatever n is | verdict: crashed | diagnostic: out of bounds | beside: shared, shared_padded
__global__ void dot_product_global(const float *x, const float *y, float *out, float *work, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 32; k++)
        s += x[32 * i + k] * y[32 * i + k];  // <- here
    if (32 * i < n)
        work[i] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < blockDim.x; k++)
            if (32 * (i + k) < n)
                s += work[i + k];
        out[blockIdx.x] = s;
    }
}
