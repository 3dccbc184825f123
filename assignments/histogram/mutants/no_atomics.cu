// mutant: adds one without an atomic | verdict: wrong | diagnostic: global-memory race
__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        counts[data[i]]++;  // <- here
}
