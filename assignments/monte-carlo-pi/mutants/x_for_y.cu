// mutant: takes the same number for x and y, so all points lie on the diagonal | verdict: wrong
__global__ void count_hits(const unsigned int *seeds, unsigned int *hits, int samples, int threads)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= threads) return;
    unsigned state = seeds[t], count = 0;
    for (int s = 0; s < samples; s++) {
        state = 48271ull * state % 2147483647ull;
        float x = state / 2147483647.0f;
        count += x * x + x * x < 1;
    }
    hits[t] = count;
}
