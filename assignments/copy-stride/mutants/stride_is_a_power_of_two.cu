// mutant: rounds the stride down to a power of two, to shift instead of multiplying | verdict: wrong
__global__ void copy_offset(const float *x, float *shifted, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        shifted[i] = x[i + offset];
}

__global__ void copy_stride(const float *x, float *gathered, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int shift = 0;
    while ((2 << shift) <= stride)
        shift++;
    if (i < n)
        gathered[i] = x[i << shift];
}
