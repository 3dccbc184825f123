// Rung `global`: the generator of Park and Miller, a product modulo 2^31 - 1 that needs 64 bits and a remainder;
// coordinates in double precision, of which most GPUs can do few; and a counter in global memory.

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
        state = next(state);  // neighbouring seeds give neighbouring numbers at first
    }
    hits[t] = 0;
    for (int s = 0; s < samples; ++s) {
        state = next(state);
        const double x = state / 2147483647.0;
        state = next(state);
        const double y = state / 2147483647.0;
        if (x * x + y * y < 1.0) {
            hits[t] += 1;
        }
    }
}
