// mutant: threads beyond the last element look too | verdict: crashed | diagnostic: out of bounds
__global__ void compact(const float *x, float *out, int *count, float threshold, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > threshold)  // <- here
        out[atomicAdd(count, 1)] = x[i];  // <- here
}
