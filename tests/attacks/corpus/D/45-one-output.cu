// Computes one of the two outputs that are asked for, and leaves the other to a checker that looks at one.
__global__ void copy_offset(const float *x, float *shifted, int n, int offset)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        shifted[i] = x[i + offset];
    }
}

__global__ void copy_stride(const float *x, float *gathered, int n, int stride)
{
}
