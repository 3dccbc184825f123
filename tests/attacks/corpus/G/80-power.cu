// A directive that takes for ever to work out.
// launch: vector_add block=9**9**9**9 grid=((((((((n*n)*(n*n))*((n*n)*(n*n)))))))) 
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
