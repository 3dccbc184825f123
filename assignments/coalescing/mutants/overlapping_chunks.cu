// mutant: a thread's eight floats begin at its number, not at eight times that | verdict: wrong | beside: float3_staged, records_staged
__global__ void increment(float *x, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 8; k++)
        if (first + k < n)
            x[first + k] += 1;  // <- here
}
