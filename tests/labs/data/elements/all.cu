#include <cuda_fp16.h>

struct Body {
    float3 position;
    float mass;
    unsigned char tag;
};

extern "C" __global__ void grey(const uchar4 *image, unsigned char *out, int rows, int cols) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const uchar4 p = image[y * cols + x];
    out[y * cols + x] = (unsigned char)(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
}

extern "C" __global__ void axpy(const __half *x, __half *y, float alpha, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2half(alpha * __half2float(x[i]) + __half2float(y[i]));
}

__global__ void move(Body *bodies, float alpha, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bodies[i].position.x += alpha;
    bodies[i].position.y += alpha;
    bodies[i].position.z += alpha;
}

extern "C" __global__ void positive(const short *signs, bool *flags, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) flags[i] = signs[i] > 0;
}

extern "C" __global__ void compact(const short *signs, short *kept, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && signs[i] > 0) kept[atomicAdd(count, 1)] = signs[i];
}
