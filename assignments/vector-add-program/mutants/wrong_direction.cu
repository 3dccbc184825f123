// mutant: states the wrong direction of the copy back | verdict: wrong | diagnostic: copy
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
    add<<<(n + 255) / 256, 256>>>(x, y, z, n);
    cudaGetLastError();
    cudaMemcpy(c, z, bytes, cudaMemcpyHostToDevice);  // <- here
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    return 0;
}
