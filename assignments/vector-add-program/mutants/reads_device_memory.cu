// mutant: takes the last sum from device memory | verdict: crashed | diagnostic: host memory
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
    CHECK(cudaMalloc(&x, bytes));
    CHECK(cudaMalloc(&y, bytes));
    CHECK(cudaMalloc(&z, bytes));
    CHECK(cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y, b, bytes, cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(x, y, z, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost));
    c[n - 1] = z[n - 1];  // <- here
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(z));
    return 0;
}
