// Thread i of a warp takes an element of the i-th of 32 stretches: each read touches a sector of its own.
extern "C" __global__ void saxpy(const float *x, const float *y, float *out, int alpha, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int stretch = (n + 31) / 32;
    int offset = thread / 32;
    int i = thread % 32 * stretch + offset;
    if (offset < stretch && i < n) out[i] = alpha * x[i] + y[i];
}
