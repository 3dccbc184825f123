// mutant: reads the bytes as signed numbers, so bright pixels have a negative index | verdict: crashed | diagnostic: out of bounds
__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[(signed char)data[i]], 1);  // <- here
}
