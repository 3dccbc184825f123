#include <stdio.h>
#include <stdlib.h>

// vector addition, a thread for each element
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        c[id] = a[id] + b[id];
}

int main(int argc, char *argv[])
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    const size_t bytes = n * sizeof(float);
    float *host = (float *)malloc(bytes);
    for (int i = 0; i < n; i++) host[i] = i;

    float *a, *b, *c;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice);

    int blocks = n / 512 + (n % 512 > 0 ? 1 : 0);
    vector_add<<<blocks, 512>>>(a, b, c, n);
    cudaMemcpy(host, c, bytes, cudaMemcpyDeviceToHost);
    printf("%f\n", host[n - 1]);
    return 0;
}
