#include <cuda_fp16.h>

// Both kernels are launched with blocks of 256 threads, one for each number.

// y[i] = a * x[i] + y[i]
__global__ void axpy_double(double a, const double *x, double *y, int n)
{
}

// v[i] = b * u[i] + v[i], in half precision: __hmul, __hadd, __hfma, and __hfma2 for two numbers at once.
__global__ void axpy_half(__half b, const __half *u, __half *v, int n)
{
}
