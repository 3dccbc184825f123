// mutant: <= for < in the guards | verdict: crashed | diagnostic: out of bounds
__global__ void copy_offset(const float *x, float *shifted, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        shifted[i] = x[i + offset];  // <- here
}

__global__ void copy_stride(const float *x, float *gathered, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        gathered[i] = x[i * stride];  // <- here
}
