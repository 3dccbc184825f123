// Asks the caches to keep the inputs and to fetch more of them, so that later launches find them there.
__device__ float kept(const float *at)
{
    float value;
    asm volatile("ld.global.L1::evict_last.L2::128B.f32 %0, [%1];" : "=f"(value) : "l"(at));
    return value;
}

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = kept(a + i) + kept(b + i);
    }
}
