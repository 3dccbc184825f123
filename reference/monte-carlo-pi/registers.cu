// Rung `registers`: the counter is in a register, and coordinates are products with a constant in single precision,
// with 24 bits, more than a count of a thousand points can show.

__device__ unsigned int next(unsigned int state)
{
    return 48271ull * state % 2147483647ull;
}

__global__ void count_hits(const unsigned int *seeds, unsigned int *hits, int samples, int threads)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= threads) {
        return;
    }
    unsigned int state = seeds[t];
    for (int k = 0; k < 4; ++k) {
        state = next(state);
    }
    unsigned int count = 0;
    for (int s = 0; s < samples; ++s) {
        state = next(state);
        const float x = state * 4.656612875e-10f;
        state = next(state);
        const float y = state * 4.656612875e-10f;
        if (x * x + y * y < 1.0f) {
            ++count;
        }
    }
    hits[t] = count;
}
