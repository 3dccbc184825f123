// Rung `global`: one thread per number, neighbouring threads for neighbouring numbers.

#include <cuda_fp16.h>

__global__ void axpy_double(double a, const double *x, double *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}

__global__ void axpy_half(__half b, const __half *u, __half *v, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        v[i] = __hadd(__hmul(b, u[i]), v[i]);
    }
}
