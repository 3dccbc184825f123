// As many launches as the argument says, of a kernel that does next to nothing.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void one(float *x) { x[blockIdx.x] = 1; }

int main(int argc, char **argv)
{
    float *x;
    cudaMalloc(&x, sizeof(float));
    for (int i = 0; i < atoi(argv[1]); i++) one<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    printf("done\n");
    return 0;
}
