// Rung `expert`: eight elements per thread, a block apart.
//
// It is `several` with twice as many loads on their way. Loads of 16 bytes, which help other kernels, do not help an
// offset copy: they must begin at a multiple of 16 bytes, so that each thread would need two of them for every four
// floats. For the stride nothing is left but not to wait: the sectors that it wastes are the task's, not the kernel's.

#define BLOCK 256
#define EACH 8

// launch: copy_offset block=256 grid=ceil(n/2048)
__global__ void copy_offset(const float *x, float *shifted, int n, int offset)
{
    const long long first = (long long)blockIdx.x * (EACH * BLOCK) + threadIdx.x;
    const float *source = x + offset;
    float value[EACH];
    if (first + (EACH - 1) * BLOCK < n) {
        for (int k = 0; k < EACH; ++k) {
            value[k] = source[first + k * BLOCK];
        }
        for (int k = 0; k < EACH; ++k) {
            shifted[first + k * BLOCK] = value[k];
        }
    } else {
        for (long long i = first; i < n; i += BLOCK) {
            shifted[i] = source[i];
        }
    }
}

// launch: copy_stride block=256 grid=ceil(n/2048)
__global__ void copy_stride(const float *x, float *gathered, int n, int stride)
{
    const long long first = (long long)blockIdx.x * (EACH * BLOCK) + threadIdx.x;
    const size_t step = (size_t)BLOCK * stride;
    const float *source = x + first * stride;
    float value[EACH];
    if (first + (EACH - 1) * BLOCK < n) {
        for (int k = 0; k < EACH; ++k) {
            value[k] = source[k * step];
        }
        for (int k = 0; k < EACH; ++k) {
            gathered[first + k * BLOCK] = value[k];
        }
    } else {
        for (long long i = first; i < n; i += BLOCK) {
            gathered[i] = x[i * stride];
        }
    }
}
