// What the default stream waits for, and what waits for it. Each case prints 1.
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

static const int N = 1 << 18, BYTES = N * sizeof(float), BLOCKS = N / 256;

int main(int argc, char **argv)
{
    float *d, *e, *h, *g;
    cudaStream_t s, t;
    cudaEvent_t a, b;
    cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES), cudaStreamCreate(&s), cudaStreamCreate(&t);
    cudaMallocHost(&h, BYTES), cudaMallocHost(&g, BYTES), cudaEventCreate(&a), cudaEventCreate(&b);
    cudaMemset(d, 0, BYTES), cudaMemset(e, 0, BYTES);
    cudaDeviceSynchronize();
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1:  // right only where the default stream is the legacy one
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        add_one<<<BLOCKS, 256>>>(d, N);
        break;
    case 2:  // right for both: a stream of the thread does not wait for others, and need not
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        add_one<<<BLOCKS, 256>>>(e, N);
        break;
    case 3: {  // threads share the array, and with the legacy stream the order too
        std::vector<std::thread> threads;
        for (int i = 0; i < 2; i++) threads.emplace_back([=] { add_one<<<BLOCKS, 256>>>(d, N); });
        for (auto &each : threads) each.join();
        break;
    }
    case 4: {  // a stream of the thread, named as such
        add_one<<<BLOCKS, 256, 0, cudaStreamPerThread>>>(d, N);
        cudaStreamSynchronize(cudaStreamPerThread);
        add_one<<<BLOCKS, 256, 0, cudaStreamLegacy>>>(d, N);
        add_one<<<BLOCKS, 256, 0, cudaStreamPerThread>>>(d, N);
        break;
    }
    case 5:  // a copy in the default stream between copies of others
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
        cudaMemcpyAsync(g, e, BYTES, cudaMemcpyDeviceToHost);  //-> default-stream-serialises
        cudaDeviceSynchronize();
        break;
    case 6:  // an event in the default stream parts two streams
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
        cudaEventRecord(a);  //-> default-stream-serialises
        cudaMemcpyAsync(g, e, BYTES, cudaMemcpyDeviceToHost, t);
        cudaDeviceSynchronize();
        break;
    case 7:  // the same, and the second copy needs the first
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
        cudaEventRecord(a);
        cudaMemcpyAsync(g, d, BYTES, cudaMemcpyDeviceToHost, t);
        cudaDeviceSynchronize();
        break;
    case 8:  // events of the default stream around all work
        cudaEventRecord(a);
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
        cudaMemcpyAsync(g, e, BYTES, cudaMemcpyDeviceToHost, t);
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        break;
    }
    cudaDeviceSynchronize();
    printf("1\n");
    cudaFree(d), cudaFree(e), cudaFreeHost(h), cudaFreeHost(g);
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaEventDestroy(a), cudaEventDestroy(b);
    return 0;
}
