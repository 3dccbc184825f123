// Rung `expert`: a load of 16 bytes has eight numbers in half precision: four half2, and four fused instructions.
//
// launch: axpy_half block=128 grid=ceil(n/1024)

#include <cuda_fp16.h>

struct alignas(16) Eight {
    __half2 pair[4];
};

__global__ void axpy_half(__half b, const __half *__restrict__ u, __half *__restrict__ v, int n)
{
    const int i = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    const __half2 factor = __half2half2(b);
    if (i + 7 < n) {
        const Eight eight = *reinterpret_cast<const Eight *>(u + i);
        Eight sum = *reinterpret_cast<const Eight *>(v + i);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            sum.pair[k] = __hfma2(factor, eight.pair[k], sum.pair[k]);
        }
        *reinterpret_cast<Eight *>(v + i) = sum;
    } else {
        for (int k = i; k < n; ++k) {
            v[k] = __hfma(b, u[k], v[k]);
        }
    }
}
