// mutant: adds the number of the block, not its first element, to the thread's | verdict: wrong
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
