// Rung `expert`: one allocation holds all three vectors.
//
// An allocation takes the driver longer than the kernel takes for thousands of elements. The parts start at multiples of
// 256 bytes, as separate allocations would.
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

static bool added(float *device, size_t part, const float *a, const float *b, float *c, int n)
{
    const size_t bytes = n * sizeof(float);
    const int block = 256;
    float *device_a = device, *device_b = device + part, *device_c = device + 2 * part;
    if (cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice) != cudaSuccess) return false;
    if (cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice) != cudaSuccess) return false;
    add<<<(n + block - 1) / block, block>>>(device_a, device_b, device_c, n);
    if (cudaGetLastError() != cudaSuccess) return false;
    return cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
}

int vector_add(const float *a, const float *b, float *c, int n)
{
    const size_t part = (n + 63) / 64 * 64;
    float *device = nullptr;
    if (cudaMalloc(&device, 3 * part * sizeof(float)) != cudaSuccess) return 1;
    bool ok = added(device, part, a, b, c, n);
    ok = cudaFree(device) == cudaSuccess && ok;
    return ok ? 0 : 1;
}
