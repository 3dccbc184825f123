// mutant: keeps elements that equal the threshold too | verdict: wrong
__global__ void compact(const float *x, float *out, int *count, float threshold, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] >= threshold)
        out[atomicAdd(count, 1)] = x[i];
}
