// mutant: threads beyond the last byte count too | verdict: crashed | diagnostic: out of bounds
__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&counts[data[i]], 1);  // <- here
}
