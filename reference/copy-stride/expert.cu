// Rung `expert`: four elements per thread, a block apart.
//
// A copy has nothing to compute, only to wait. A thread that has four loads on their way before it stores the first
// waits once instead of four times, and there are a quarter as many threads to start. Neighbouring threads still have
// neighbouring elements. Loads of 16 bytes, which help other kernels, do not help an offset copy: they must begin at a
// multiple of 16 bytes, so that each thread would need two of them for every four floats. Eight loads at once are no
// better than four: on an H200 this is the speed of memory. A stride makes as many sectors as before: no order of the
// threads can fix that.

#define BLOCK 256
#define EACH 4

// launch: copy_offset block=256 grid=ceil(n/1024)
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

// launch: copy_stride block=256 grid=ceil(n/1024)
__global__ void copy_stride(const float *x, float *gathered, int n, int stride)
{
    const long long first = (long long)blockIdx.x * (EACH * BLOCK) + threadIdx.x;
    float value[EACH];
    if (first + (EACH - 1) * BLOCK < n) {
        for (int k = 0; k < EACH; ++k) {
            value[k] = x[(first + k * BLOCK) * stride];
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
