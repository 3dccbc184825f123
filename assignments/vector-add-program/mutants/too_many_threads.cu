// mutant: blocks of 2048 threads, and nothing asks whether the launch failed | verdict: wrong | diagnostic: invalid launch
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int vector_add(const float *a, const float *b, float *c, int n)
{
    size_t bytes = n * sizeof(float);
    float *x, *y, *z;
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    cudaMalloc(&z, bytes);
    cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice);
    add<<<(n + 2047) / 2048, 2048>>>(x, y, z, n);  // <- here
    cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    return 0;
}
