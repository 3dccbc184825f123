// Correct programs for two devices. Each case prints 1 if its result is right.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
#include <cuda_runtime.h>

__global__ void add_one(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
__global__ void add(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += x[i];
}
__device__ int number;
__global__ void keep(int value) { number = value; }

static const int N = 4096, BYTES = N * sizeof(float), BLOCKS = N / 256;
static int equal(const float *x, float value)
{
    for (int i = 0; i < N; i++) if (x[i] != value) return 0;
    return 1;
}

int main(int argc, char **argv)
{
    float *d[2], *h;
    cudaStream_t s[2];
    int right = 0, count = 0, can = 0;
    cudaGetDeviceCount(&count);
    cudaMallocHost(&h, BYTES);
    for (int i = 0; i < N; i++) h[i] = 1;
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        cudaMalloc(&d[i], BYTES), cudaStreamCreate(&s[i]);
        cudaMemcpy(d[i], h, BYTES, cudaMemcpyHostToDevice);
    }
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1:  // the same work on each device
        for (int i = 0; i < 2; i++) {
            cudaSetDevice(i);
            add_one<<<BLOCKS, 256, 0, s[i]>>>(d[i], N);
        }
        for (int i = 0; i < 2; i++) {
            int now;
            cudaSetDevice(i), cudaGetDevice(&now);
            cudaMemcpyAsync(h, d[i], BYTES, cudaMemcpyDeviceToHost, s[i]);
            cudaStreamSynchronize(s[i]);
            right += equal(h, 2) && now == i;
        }
        right = right == 2 && count == 2 && cudaSetDevice(2) == cudaErrorInvalidDevice;
        cudaGetLastError();
        break;
    case 2:  // a copy between devices, with and without access
        cudaSetDevice(0);
        add_one<<<BLOCKS, 256>>>(d[0], N);
        cudaMemcpyPeer(d[1], 1, d[0], 0, BYTES);
        cudaMemcpy(h, d[1], BYTES, cudaMemcpyDefault);
        right = equal(h, 2);
        cudaDeviceCanAccessPeer(&can, 0, 1);
        cudaDeviceEnablePeerAccess(1, 0);
        right += cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled;
        cudaGetLastError();
        add<<<BLOCKS, 256>>>(d[1], d[0], N);
        cudaMemcpyPeerAsync(d[1], 1, d[0], 0, BYTES, s[0]);
        cudaStreamSynchronize(s[0]);
        cudaMemcpy(h, d[1], BYTES, cudaMemcpyDefault);
        right += equal(h, 4) && can;
        cudaDeviceDisablePeerAccess(1);
        right = right == 3;
        break;
    case 3: {  // an event orders streams of two devices
        cudaEvent_t done;
        cudaSetDevice(0);
        cudaEventCreate(&done);
        add_one<<<BLOCKS, 256, 0, s[0]>>>(d[0], N);
        cudaEventRecord(done, s[0]);
        cudaSetDevice(1);
        cudaStreamWaitEvent(s[1], done, 0);
        cudaMemcpyAsync(d[1], d[0], BYTES, cudaMemcpyDefault, s[1]);
        add_one<<<BLOCKS, 256, 0, s[1]>>>(d[1], N);
        cudaMemcpyAsync(h, d[1], BYTES, cudaMemcpyDeviceToHost, s[1]);
        cudaDeviceSynchronize();
        right = equal(h, 3);
        cudaEventDestroy(done);
        break;
    }
    case 4: {  // a variable on each device, a thread for each device
        std::vector<std::thread> threads;
        for (int i = 0; i < 2; i++) threads.emplace_back([i] {
            int device;
            cudaGetDevice(&device);
            if (device) return;
            cudaSetDevice(i);
            keep<<<1, 1>>>(i + 5);
            cudaDeviceSynchronize();
        });
        for (auto &each : threads) each.join();
        for (int i = 0; i < 2; i++) {
            int found;
            cudaSetDevice(i);
            cudaMemcpyFromSymbol(&found, number, sizeof found);
            right += found == i + 5;
        }
        right = right == 2;
        break;
    }
    case 5: {  // which device memory belongs to
        cudaPointerAttributes first, second, host;
        cudaPointerGetAttributes(&first, d[0]), cudaPointerGetAttributes(&second, d[1]), cudaPointerGetAttributes(&host, h);
        right = first.device == 0 && second.device == 1 && second.type == cudaMemoryTypeDevice && host.type == cudaMemoryTypeHost;
        break;
    }
    }
    printf("%d\n", right);
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        cudaFree(d[i]), cudaStreamDestroy(s[i]);
    }
    cudaFreeHost(h);
    return 0;
}
