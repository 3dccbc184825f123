// One fault with two devices in each case; a comment after two slashes and an arrow names the finding at its line.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void add_one(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

static const int N = 4096, BYTES = N * sizeof(float), BLOCKS = N / 256;

int main(int argc, char **argv)
{
    float *d[2], ms;
    cudaStream_t s[2];
    cudaEvent_t e[2];
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        cudaMalloc(&d[i], BYTES), cudaStreamCreate(&s[i]), cudaEventCreate(&e[i]);
        cudaMemset(d[i], 0, BYTES);
        cudaDeviceSynchronize();
    }
    cudaSetDevice(0);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1:
        add_one<<<BLOCKS, 256, 0, s[1]>>>(d[1], N);  //-> launch-in-other-device
        if (cudaGetLastError() != cudaErrorInvalidResourceHandle) return 3;
        break;
    case 2:
        add_one<<<BLOCKS, 256, 0, s[0]>>>(d[1], N);  //-> kernel-gets-other-device
        if (cudaDeviceSynchronize() != cudaErrorIllegalAddress) return 3;
        return 0;
        break;
    case 3:
        if (cudaEventRecord(e[1], s[0]) != cudaErrorInvalidResourceHandle) return 3;  //-> event-of-other-device
        break;
    case 4:
        cudaEventRecord(e[0], s[0]);
        cudaSetDevice(1);
        cudaEventRecord(e[1], s[1]);
        cudaEventSynchronize(e[0]), cudaEventSynchronize(e[1]);
        cudaEventElapsedTime(&ms, e[0], e[1]);  //-> events-of-two-devices
        break;
    case 5:  // the other device is not waited for
        cudaSetDevice(1);
        add_one<<<BLOCKS, 256, 0, s[1]>>>(d[1], N);
        cudaSetDevice(0);
        cudaDeviceSynchronize();
        cudaMemcpyAsync(d[0], d[1], BYTES, cudaMemcpyDefault, s[0]);  //-> streams-write-then-read
        break;
    }
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        cudaDeviceSynchronize();
        cudaFree(d[i]), cudaStreamDestroy(s[i]), cudaEventDestroy(e[i]);
    }
    return 0;
}
