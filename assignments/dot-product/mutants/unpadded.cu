// mutant: the tile that should be padded is not | verdict: accepted | part: technique | beside: global, shared
__global__ void dot_product_shared_padded(const float *x, const float *y, float *out, float *work, int n)
{
    __shared__ float tile[64][32];
    int t = threadIdx.x;
    int base = blockIdx.x * 64 * 32;
    for (int r = 0; r < 64; r += 2) {
        int k = base + 32 * r + t;
        tile[r + t / 32][t % 32] = k < n ? x[k] * y[k] : 0;
    }
    __syncthreads();
    float s = 0;
    for (int c = 0; c < 32; ++c)
        s += tile[t][c];
    __syncthreads();
    tile[t / 32][t % 32] = s;
    __syncthreads();
    if (t == 0) {
        s = 0;
        for (int k = 0; k < 64; ++k)
            s += tile[k / 32][k % 32];
        out[blockIdx.x] = s;
    }
}
