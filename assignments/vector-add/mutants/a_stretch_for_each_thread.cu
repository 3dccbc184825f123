// mutant: each thread adds a stretch of 16 neighbours, so that the threads of a warp are far apart | verdict: accepted | part: technique
// launch: vector_add block=256 grid=ceil(n/4096)
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int first = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 16 && i < n; i++)
        c[i] = a[i] + b[i];
}
