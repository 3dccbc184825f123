// Half of the threads wait for the others, who never come.
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
    } else {
        while (((volatile float *)c)[0] != 12345.0f) {
        }
    }
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
