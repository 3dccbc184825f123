// Rung `whole`: allocate, copy, launch, copy back, release, once each, and every call is checked.
//
// cudaMemcpy waits for the copy, and the copy back waits for the kernel, so nothing else has to wait. A launch returns
// nothing: cudaGetLastError says whether it failed.
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int vector_add(const float *a, const float *b, float *c, int n)
{
    const size_t bytes = n * sizeof(float);
    const int block = 256;
    float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
    bool ok = cudaMalloc(&device_a, bytes) == cudaSuccess
        && cudaMalloc(&device_b, bytes) == cudaSuccess
        && cudaMalloc(&device_c, bytes) == cudaSuccess
        && cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice) == cudaSuccess
        && cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
    if (ok) {
        add<<<(n + block - 1) / block, block>>>(device_a, device_b, device_c, n);
        ok = cudaGetLastError() == cudaSuccess
            && cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
    }
    cudaFree(device_a);
    cudaFree(device_b);
    cudaFree(device_c);
    return ok ? 0 : 1;
}
