// Rung `global`: the lecture's kernels, one element per thread.
//
// With an offset a warp's 128 bytes begin anywhere in a sector and touch five sectors instead of four, and what it
// leaves of the fifth is in the cache when the next warp asks. With a stride of s, its 32 floats lie in 4 * s sectors,
// up to one sector each from a stride of 8 on: seven eighths of what memory delivers is thrown away.

__global__ void copy_offset(const float *x, float *shifted, int n, int offset)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        shifted[i] = x[i + (size_t)offset];
    }
}

__global__ void copy_stride(const float *x, float *gathered, int n, int stride)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        gathered[i] = x[(size_t)i * stride];
    }
}
