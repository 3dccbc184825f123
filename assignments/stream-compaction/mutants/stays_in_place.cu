// mutant: counts right, but leaves every element where it was | verdict: wrong
__global__ void compact(const float *x, float *out, int *count, float threshold, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > threshold) {
        atomicAdd(count, 1);
        out[i] = x[i];
    }
}
