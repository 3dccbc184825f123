// mutant: threads without a seed draw points too | verdict: crashed | diagnostic: out of bounds
__global__ void count_hits(const unsigned int *seeds, unsigned int *hits, int samples, int threads)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = seeds[t], count = 0;  // <- here
    for (int s = 0; s < samples; s++) {
        state = 48271ull * state % 2147483647ull;
        float x = state / 2147483647.0f;
        state = 48271ull * state % 2147483647ull;
        float y = state / 2147483647.0f;
        count += x * x + y * y < 1;
    }
    hits[t] = count;  // <- here
}
