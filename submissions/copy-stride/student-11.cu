// The stride is in bytes on the slide, so it is divided by the size of a float here.
__global__ void copy_offset(const float *x, float *shifted, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        shifted[i] = x[i + offset];
}

__global__ void copy_stride(const float *x, float *gathered, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        gathered[i] = x[i * stride / sizeof(float)];
}
