// mutant: the sum passes through an int | verdict: wrong
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = a[i] + b[i];
        c[i] = sum;
    }
}
