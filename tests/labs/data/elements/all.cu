#include <cuda_fp16.h>

struct Body {
    float3 position;
    float mass;
    unsigned char tag;
};

struct Lens {
    unsigned char kind;
    float weights[2];
    double gain;
};

__global__ void light(const __half *x, double *lit, const uchar3 tint, float4 ramp, Lens lens, bool negative, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double lamp = ramp.x + 3.0 * ramp.y + 9.0 * ramp.z + 27.0 * ramp.w;
    lamp += 81.0 * tint.x + 243.0 * tint.y + 729.0 * tint.z;
    double value = __half2float(x[i]) * lamp;
    lit[i] = (negative ? -value : value) + lens.kind + 7.0 * lens.weights[0] + 11.0 * lens.weights[1] + lens.gain;
}

__global__ void add_in(long long *sums, longlong2 step, const Lens lens, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    sums[i] += step.x + 3 * step.y + lens.kind + (int)(4 * (lens.weights[0] - lens.weights[1]) + 2 * lens.gain);
}

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
