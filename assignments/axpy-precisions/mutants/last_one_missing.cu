// mutant: axpy_half takes whole pairs only, so the last number of an odd length stays as it was | verdict: wrong | beside: double_pairs
// launch: axpy_half block=256 grid=ceil(n/512)
#include <cuda_fp16.h>
__global__ void axpy_half(__half b, const __half *u, __half *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i + 1 < n)
        ((__half2 *)v)[i] = __hfma2(__half2half2(b), ((const __half2 *)u)[i], ((__half2 *)v)[i]);
}
