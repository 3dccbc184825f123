// Rung `half_pairs`: a half2 holds two numbers, and one fused instruction computes both.
//
// launch: axpy_half block=256 grid=ceil(n/512)

#include <cuda_fp16.h>

__global__ void axpy_half(__half b, const __half *__restrict__ u, __half *__restrict__ v, int n)
{
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        const __half2 two = *reinterpret_cast<const __half2 *>(u + i);
        const __half2 sum = *reinterpret_cast<const __half2 *>(v + i);
        *reinterpret_cast<__half2 *>(v + i) = __hfma2(__half2half2(b), two, sum);
    } else if (i < n) {
        v[i] = __hfma(b, u[i], v[i]);
    }
}
