// Its name, and that of its header, are options of compilers and other tools.
#include "-rf.cuh"

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = sum_of(a[i], b[i]);
}
