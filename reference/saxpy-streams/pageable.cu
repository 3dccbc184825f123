// Rung `pageable`: both vectors are copied whole from pageable memory, and the result is copied back.
//
// The driver copies pageable memory through a pinned buffer of its own, so every byte is moved twice on the host's side.
#include <cuda_runtime.h>

#define TRY(call) do { if ((call) != cudaSuccess) return 1; } while (0)

constexpr int THREADS = 256;
static float *device_x, *device_y;

__global__ void multiply_add(int n, float alpha, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i] + y[i];
}

int stream_saxpy_prepare(int n, int alpha, const float *x, float *y)
{
    TRY(cudaMalloc(&device_x, n * sizeof(float)));
    TRY(cudaMalloc(&device_y, n * sizeof(float)));
    return 0;
}

int stream_saxpy(int n, int alpha, const float *x, float *y)
{
    size_t bytes = n * sizeof(float);
    TRY(cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice));
    multiply_add<<<(n + THREADS - 1) / THREADS, THREADS>>>(n, alpha, device_x, device_y);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(y, device_y, bytes, cudaMemcpyDeviceToHost));
    return 0;
}

int stream_saxpy_finish(int n, int alpha, const float *x, float *y)
{
    TRY(cudaFree(device_x));
    TRY(cudaFree(device_y));
    return 0;
}
