// mutant: threads beyond n add as well | verdict: crashed | diagnostic: out of bounds | beside: float3_staged, records_staged
__global__ void increment(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = x[i] + 1;  // <- here
}
