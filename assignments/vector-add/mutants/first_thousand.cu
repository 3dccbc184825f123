// mutant: n is 1000, as on the exercise sheet | verdict: wrong
#define N 1000
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N && i < n) c[i] = a[i] + b[i];
}
