// mutant: adds up the tile before it is full | verdict: wrong | diagnostic: shared-memory race | beside: global, shared_padded
__global__ void dot_product_shared(const float *x, const float *y, float *out, float *work, int n)
{
    __shared__ float p[2048];
    int t = threadIdx.x;
    int base = blockIdx.x * 2048;
    for (int k = t; k < 2048; k += 64)
        p[k] = base + k < n ? x[base + k] * y[base + k] : 0;  // <- here
    float s = 0;
    for (int k = 32 * t; k < 32 * t + 32; ++k)
        s += p[k];  // <- here
    __syncthreads();
    p[t] = s;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 64; ++k)
            s += p[k];
        out[blockIdx.x] = s;
    }
}
