// mutant: each thread fills a stretch of 16 neighbours, so that the threads of a warp are far apart | verdict: accepted | part: technique | beside: intrinsic
// launch: function_table block=256 grid=ceil(n/4096)
__global__ void function_table(const float *c, const float *step, float *y, int n)
{
    int first = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 16 && i < n; i++) y[i] = sinf(sqrtf(i * step[0]));
}
