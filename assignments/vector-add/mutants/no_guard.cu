// mutant: the threads beyond the end add as well | verdict: crashed | diagnostic: out of bounds
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    c[i] = a[i] + b[i];  // <- here
}
