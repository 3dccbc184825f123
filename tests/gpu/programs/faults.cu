#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void add_one(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
int main(int argc, char **argv)
{
    int *d, *leaked, *h, n = 1 << 20;
    cudaMallocHost(&h, n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&leaked, 1000);
    cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    add_one<<<n / 256, 256>>>(d);
    cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    int given = 0;
    if (scanf("%d", &given) != 1) given = -1;
    printf("%d %d %s\n", h[n - 1], given, argc > 1 ? argv[1] : "");
    if (argc > 2) {
        cudaFree(h);
        add_one<<<n / 256 + 4096, 256>>>(d);
        cudaDeviceSynchronize();
    }
    cudaFree(d);
    return argc > 1 ? atoi(argv[1]) : 0;
}
