// c = a + b on pageable memory: the first program that a student writes.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 16;
    size_t bytes = n * sizeof(float);
    std::vector<float> a(n, 1), b(n, 2), c(n);
    float *x, *y, *z;
    cudaMalloc(&x, bytes), cudaMalloc(&y, bytes), cudaMalloc(&z, bytes);
    cudaMemcpy(x, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(y, b.data(), bytes, cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(x, y, z, n);
    cudaMemcpy(c.data(), z, bytes, cudaMemcpyDeviceToHost);
    cudaFree(x), cudaFree(y), cudaFree(z);
    printf("%g\n", c[n - 1]);
    return 0;
}
