__global__ void inside(int *hits, int threads, int points, unsigned seed)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= threads) return;
    unsigned long long state = (seed + 1ull) * 6364136223846793005ull + t * 2654435769ull + 1;
    int count = 0;
    for (int i = 0; i < points; ++i) {
        float at[2];
        for (int d = 0; d < 2; ++d) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            unsigned long long mixed = (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9ull;
            at[d] = (mixed >> 40) * (1.0f / (1 << 24));
        }
        count += at[0] * at[0] + at[1] * at[1] < 1.0f;
    }
    hits[t] = count;
}
