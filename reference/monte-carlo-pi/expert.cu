// Rung `expert`: Marsaglia's xorshift: three shifts and three exclusive ors, all in 32 bits. It must not start at zero,
// and like seeds give like numbers, so a hash mixes the seed first.

__device__ unsigned int mixed(unsigned int seed)
{
    seed = (seed ^ seed >> 16) * 0x7feb352du;
    seed = (seed ^ seed >> 15) * 0x846ca68bu;
    return seed ^ seed >> 16;
}

__device__ unsigned int next(unsigned int state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ state << 5;
}

__global__ void count_hits(const unsigned int *__restrict__ seeds, unsigned int *__restrict__ hits, int samples, int threads)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= threads) {
        return;
    }
    unsigned int state = mixed(seeds[t]) | 1u;
    unsigned int count = 0;
#pragma unroll 4
    for (int s = 0; s < samples; ++s) {
        state = next(state);
        const float x = state * 2.3283064e-10f;
        state = next(state);
        const float y = state * 2.3283064e-10f;
        count += x * x + y * y < 1.0f ? 1 : 0;
    }
    hits[t] = count;
}
