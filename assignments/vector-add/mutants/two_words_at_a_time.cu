// mutant: a warp stores two of its 32 sums at a time | verdict: accepted | part: technique | loses: 10
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float sum = i < n ? a[i] + b[i] : 0.0f;
    for (int k = 0; k < 32; k += 2) {
        int from = k + lane % 2;
        float given = __shfl_sync(0xffffffff, sum, from);
        if (i - lane + from < n)
            c[i - lane + from] = given;
    }
}
