// mutant: releases nothing | verdict: accepted | diagnostic: leak | part: structure | loses: 10
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

#define CHECK(call) if ((call) != cudaSuccess) return 1

int vector_add(const float *a, const float *b, float *c, int n)
{
    size_t bytes = n * sizeof(float);
    float *x, *y, *z;
    CHECK(cudaMalloc(&x, bytes));  // <- here
    CHECK(cudaMalloc(&y, bytes));  // <- here
    CHECK(cudaMalloc(&z, bytes));  // <- here
    CHECK(cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(x, y, z, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost));
    return 0;
}
