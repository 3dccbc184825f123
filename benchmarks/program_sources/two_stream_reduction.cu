// The sum of 2^n floats of pinned memory, in chunks that two streams copy and add up in turn.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static const int CHUNKS = 8, BLOCKS = 64, THREADS = 256;

__global__ void add_up(const float *x, float *sums, int n)
{
    __shared__ float part[THREADS];
    float sum = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) sum += x[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

int main(int argc, char **argv)
{
    const int n = 1 << (argc > 1 ? atoi(argv[1]) : 25), part = n / CHUNKS;
    float *x, *sums, *chunk[2], *partial;
    cudaStream_t streams[2];
    cudaMallocHost(&x, n * sizeof(float)), cudaMallocHost(&sums, CHUNKS * BLOCKS * sizeof(float));
    cudaMalloc(&partial, CHUNKS * BLOCKS * sizeof(float));
    for (int i = 0; i < n; i++) x[i] = 1;
    for (int i = 0; i < 2; i++) cudaStreamCreate(&streams[i]), cudaMalloc(&chunk[i], part * sizeof(float));
    for (int i = 0; i < CHUNKS; i++) {
        cudaStream_t stream = streams[i % 2];
        cudaMemcpyAsync(chunk[i % 2], x + i * part, part * sizeof(float), cudaMemcpyHostToDevice, stream);
        add_up<<<BLOCKS, THREADS, 0, stream>>>(chunk[i % 2], partial + i * BLOCKS, part);
        cudaMemcpyAsync(sums + i * BLOCKS, partial + i * BLOCKS, BLOCKS * sizeof(float), cudaMemcpyDeviceToHost, stream);
    }
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < CHUNKS * BLOCKS; i++) sum += sums[i];
    for (int i = 0; i < 2; i++) cudaStreamDestroy(streams[i]), cudaFree(chunk[i]);
    cudaFree(partial), cudaFreeHost(x), cudaFreeHost(sums);
    printf("%.0f\n", sum);
    return 0;
}
