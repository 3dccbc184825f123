#define WIDTH 64

__device__ int guarded(int i, int n) { return i < n; }

#include "student.cuh"

__global__ void map_all(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (guarded(i, n)) {
        y[i] = mapped(x[i], i);
    }
}

__global__ void sums(const float *x, float *total, int n)
{
    __shared__ float tile[WIDTH];
    int i = blockIdx.x * WIDTH + threadIdx.x;
    tile[threadIdx.x] = guarded(i, n) ? x[i] : 0.0f;
    __syncthreads();
    for (int stride = WIDTH / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) {
            combine(tile, stride);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        total[blockIdx.x] = tile[0];
    }
}
