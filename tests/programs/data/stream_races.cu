// One race, or one missing wait, in each case; a comment after two slashes and an arrow names the finding at its line.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

__global__ void add(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += x[i];
}

__global__ void blur(const float *x, float *y, int first, int end)
{
    int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < end) y[i] = x[i - 1] + x[i];
}

__global__ void count(const float *x, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] == 0) atomicAdd(found, 1);
}

struct Pair { float *to; int n; };
__global__ void fill(Pair pair)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pair.n) pair.to[i] = 1;
}

__device__ float total;
__global__ void keep(float value) { total = value; }

static const int N = 10000, BYTES = N * sizeof(float), BLOCKS = (N + 255) / 256;

int main(int argc, char **argv)
{
    float *d, *e, *h, *g, *m;
    int *found;
    cudaStream_t s, t, u;
    cudaEvent_t a, b;
    cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES), cudaMalloc(&found, sizeof(int));
    cudaMemset(d, 0, BYTES), cudaMemset(e, 0, BYTES), cudaMemset(found, 0, sizeof(int));
    cudaMallocHost(&h, BYTES), cudaMallocHost(&g, BYTES), cudaMallocManaged(&m, BYTES);
    for (int i = 0; i < N; i++) h[i] = g[i] = m[i] = 1;
    cudaStreamCreate(&s), cudaStreamCreate(&t), cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking);
    cudaEventCreate(&a), cudaEventCreate(&b);
    cudaDeviceSynchronize();
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1:
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        twice<<<BLOCKS, 256, 0, t>>>(d, N);  //-> streams-write-both
        break;
    case 2:
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
        add<<<BLOCKS, 256, 0, t>>>(d, e, N);  //-> streams-write-then-read
        break;
    case 3:
        add<<<BLOCKS, 256, 0, s>>>(d, e, N);
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, t);  //-> streams-read-then-write
        break;
    case 4:
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, t);  //-> streams-write-then-read
        break;
    case 5:
        twice<<<BLOCKS, 256>>>(d, N);
        twice<<<BLOCKS, 256, 0, u>>>(d, N);  //-> streams-write-both
        break;
    case 6:
        cudaMemsetAsync(d, 0, BYTES, s);
        add<<<BLOCKS, 256, 0, t>>>(d, e, N);  //-> streams-write-then-read
        break;
    case 7:  // the event is recorded before the work that it stands for
        cudaEventRecord(a, s);
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaStreamWaitEvent(t, a, 0);
        add<<<BLOCKS, 256, 0, t>>>(d, e, N);  //-> streams-write-then-read
        break;
    case 8:  // the wrong stream waits
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaEventRecord(a, s);
        cudaStreamWaitEvent(u, a, 0);
        add<<<BLOCKS, 256, 0, t>>>(d, e, N);  //-> streams-write-then-read
        break;
    case 9:  // the second part reads the last element of the first
        cudaMemcpyAsync(d, h, BYTES / 2, cudaMemcpyHostToDevice, s);
        blur<<<BLOCKS, 256, 0, s>>>(d, e, 0, N / 2);
        cudaMemcpyAsync(d + N / 2, h + N / 2, BYTES / 2, cudaMemcpyHostToDevice, t);
        blur<<<BLOCKS, 256, 0, t>>>(d, e, N / 2, N);  //-> streams-write-then-read
        break;
    case 10:  // the buffer is filled again before the kernel has read it
        for (int i = 0; i < 2; i++) {
            cudaMemcpyAsync(d, i ? h : g, BYTES, cudaMemcpyHostToDevice, s);  //-> streams-read-then-write
            cudaEventRecord(a, s);
            cudaStreamWaitEvent(t, a, 0);
            add<<<BLOCKS, 256, 0, t>>>(d, e, N);
        }
        break;
    case 11:
        twice<<<BLOCKS, 256, 0, s>>>(m, N / 2);
        printf("%f\n", m[7]);  //-> host-reads-early
        break;
    case 12:
        twice<<<BLOCKS, 256, 0, s>>>(h, N);
        printf("%f\n", h[7]);  //-> host-reads-early
        break;
    case 13:
        add<<<BLOCKS, 256, 0, s>>>(h, e, N);
        h[0] = 3;  //-> host-writes-early
        break;
    case 14:
        count<<<BLOCKS, 256, 0, s>>>(e, found, N);
        cudaMemcpyAsync(h, found, sizeof(int), cudaMemcpyDeviceToHost, t);  //-> streams-write-then-read
        break;
    case 15:  // two streams fork, one joins
        twice<<<BLOCKS, 256, 0, s>>>(d, N / 2);
        twice<<<BLOCKS, 256, 0, t>>>(d + N / 2, N / 2);
        cudaEventRecord(a, s);
        cudaStreamWaitEvent(u, a, 0);
        add<<<BLOCKS, 256, 0, u>>>(d, e, N);  //-> streams-write-then-read
        break;
    case 16:  // the wait comes too late
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaEventRecord(a, s);
        add<<<BLOCKS, 256, 0, t>>>(d, e, N);  //-> streams-write-then-read
        cudaStreamWaitEvent(t, a, 0);
        break;
    case 17:  // the event is recorded a second time, in another stream
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaEventRecord(a, s);
        cudaEventRecord(a, u);
        cudaStreamWaitEvent(t, a, 0);
        add<<<BLOCKS, 256, 0, t>>>(d, e, N);  //-> streams-write-then-read
        break;
    case 18:
        cudaMemcpyAsync(e, d, BYTES, cudaMemcpyDeviceToDevice, s);
        cudaMemcpyAsync(e + 10, d, BYTES / 2, cudaMemcpyDeviceToDevice, t);  //-> streams-write-both
        break;
    case 19: {
        static float own[N];
        cudaHostRegister(own, BYTES, cudaHostRegisterDefault);
        cudaMemcpyAsync(own, d, BYTES, cudaMemcpyDeviceToHost, s);
        printf("%f\n", own[N / 2]);  //-> host-reads-early
        cudaStreamSynchronize(s);
        cudaHostUnregister(own);
        break;
    }
    case 20:
        keep<<<1, 1, 0, s>>>(1);
        keep<<<1, 1, 0, t>>>(2);  //-> streams-write-both
        break;
    case 21:
        fill<<<BLOCKS, 256, 0, s>>>(Pair{d, N});
        fill<<<BLOCKS, 256, 0, t>>>(Pair{d + N - 1, 1});  //-> streams-write-both
        break;
    case 22:  // columns that overlap
        cudaMemcpy2DAsync(d, 400, h, 400, 200, 50, cudaMemcpyHostToDevice, s);
        cudaMemcpy2DAsync(d + 49, 400, h, 400, 200, 50, cudaMemcpyHostToDevice, t);  //-> streams-write-both
        break;
    case 23:  // a second stream is waited for, and not the one with the work
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaStreamSynchronize(t);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, u);  //-> streams-write-then-read
        break;
    case 24:  // an event that was never recorded orders nothing
        twice<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaStreamWaitEvent(t, b, 0);
        add<<<BLOCKS, 256, 0, t>>>(d, e, N);  //-> streams-write-then-read
        break;
    case 25:  // pinned memory is filled again while its copy is under way
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
        for (int i = 0; i < N; i++) h[i] = i;  //-> host-writes-early
        break;
    case 26:  // two copies write one part of pinned memory
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
        cudaMemcpyAsync(h + N / 2, e, BYTES / 4, cudaMemcpyDeviceToHost, t);  //-> streams-write-both
        break;
    case 27: {  // from the end, over more pages than a step can double
        const size_t size = 1 << 20;
        char *large, *on_device;
        cudaMallocHost(&large, size), cudaMalloc(&on_device, size);
        cudaMemsetAsync(on_device, 0, size, s);
        cudaMemcpyAsync(large, on_device, size, cudaMemcpyDeviceToHost, s);
        volatile char last;
        for (size_t at = size; at-- > 0;) last = large[at];  //-> host-reads-early
        cudaDeviceSynchronize();
        cudaFreeHost(large), cudaFree(on_device);
        break;
    }
    }
    cudaDeviceSynchronize();
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaStreamDestroy(u), cudaEventDestroy(a), cudaEventDestroy(b);
    cudaFree(d), cudaFree(e), cudaFree(found), cudaFreeHost(h), cudaFreeHost(g), cudaFree(m);
    return 0;
}
