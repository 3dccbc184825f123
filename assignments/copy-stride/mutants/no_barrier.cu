// mutant: no barrier between filling the tile and emptying it | verdict: wrong | diagnostic: shared-memory race
__global__ void copy_offset(const float *x, float *shifted, int n, int offset)
{
    __shared__ float tile[256 + 8];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    int shift = offset % 8;
    for (int k = t; k < 256 + shift; k += 256)
        if ((int)(blockIdx.x * 256) + k - shift < n)
            tile[k] = x[blockIdx.x * 256 + offset - shift + k];
    if (i < n)
        shifted[i] = tile[t + shift];  // <- here
}

__global__ void copy_stride(const float *x, float *gathered, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        gathered[i] = x[(size_t)i * stride];
}
