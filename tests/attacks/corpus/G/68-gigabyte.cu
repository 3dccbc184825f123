// A table of a gigabyte, which the compiler writes out as text.
__device__ const unsigned char table[1u << 30] = {1, 2, 3};

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i] + table[(unsigned)i * 7919u % (1u << 30)];
    }
}
