// mutant: adds on the host, beside a kernel that does nothing of it | verdict: accepted | part: structure | loses: 10
#include <cuda_runtime.h>

__global__ void nothing() {}

int vector_add(const float *a, const float *b, float *c, int n)
{
    nothing<<<1, 1>>>();
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
    return 0;
}
