// mutant: axpy_half multiplies the low half of each pair by b and the high one by one | verdict: wrong | beside: double_pairs
// launch: axpy_half block=256 grid=ceil(n/512)
#include <cuda_fp16.h>
__global__ void axpy_half(__half b, const __half *u, __half *v, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) v[i] = __hfma(b, u[i], v[i]);
    if (i + 1 < n) v[i + 1] = __hadd(u[i + 1], v[i + 1]);
}
