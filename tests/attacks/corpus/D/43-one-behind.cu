// Right, and one more number right behind the output, where a counter of errors might be.
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
    if (i == 0) {
        c[n] = 0.0f;
    }
}
