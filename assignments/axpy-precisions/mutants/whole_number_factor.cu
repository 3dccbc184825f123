// mutant: axpy_half rounds the factor to a whole number | verdict: wrong | beside: double_pairs
#include <cuda_fp16.h>
__global__ void axpy_half(__half b, const __half *u, __half *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = __hfma(__int2half_rn(__half2int_rz(b)), u[i], v[i]);
}
