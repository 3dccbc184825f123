// mutant: writes the most probable number instead of drawing points | verdict: wrong
__global__ void count_hits(const unsigned int *seeds, unsigned int *hits, int samples, int threads)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < threads)
        hits[t] = (unsigned)(0.78539816 * samples + 0.5);
}
