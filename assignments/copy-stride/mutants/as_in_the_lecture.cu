// mutant: the target is shifted and strided like the source | verdict: crashed | diagnostic: out of bounds
__global__ void copy_offset(const float *x, float *shifted, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        shifted[i + offset] = x[i + offset];  // <- here
}

__global__ void copy_stride(const float *x, float *gathered, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        gathered[i * stride] = x[i * stride];  // <- here
}
