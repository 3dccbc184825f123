// mutant: the kernel of the lecture's first example: it knows the threads of one block | verdict: wrong
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
