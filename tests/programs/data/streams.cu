// Correct concurrent programs. Each case prints 1 if its result is right.
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
__global__ void every(float *x, int n, int first, int step)
{
    int i = first + step * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) x[i] += 1;
}
__global__ void bytes(char *x, int first, int end)
{
    int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end) x[i] = 1;
}
__global__ void count(const float *x, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] == 1) atomicAdd(found, 1);
}
static void CUDART_CB sum_up(void *data)
{
    float *x = static_cast<float *>(data);
    for (int i = 1; i < 100; i++) x[0] += x[i];
}

static const int N = 16384, BYTES = N * sizeof(float), BLOCKS = N / 256;
static int equal(const float *x, float value, int n = N)
{
    for (int i = 0; i < n; i++) if (x[i] != value) return 0;
    return 1;
}

int main(int argc, char **argv)
{
    float *d, *e, *h, *g, *m;
    int *found, right = 0;
    cudaStream_t s, t, u;
    cudaEvent_t a, b, c;
    cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES), cudaMalloc(&found, sizeof(int));
    cudaMallocHost(&h, BYTES), cudaMallocHost(&g, BYTES), cudaMallocManaged(&m, BYTES);
    for (int i = 0; i < N; i++) h[i] = g[i] = m[i] = 1;
    cudaMemcpy(d, h, BYTES, cudaMemcpyHostToDevice), cudaMemcpy(e, h, BYTES, cudaMemcpyHostToDevice);
    cudaMemset(found, 0, sizeof(int));
    cudaStreamCreate(&s), cudaStreamCreate(&t), cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking);
    cudaEventCreate(&a), cudaEventCreate(&b), cudaEventCreateWithFlags(&c, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: {  // two buffers, each with a stream of its own
        cudaStream_t streams[2] = {s, t};
        const int part = N / 8;
        for (int i = 0; i < 8; i++) {
            float *buffer = (i % 2 ? e : d);
            cudaMemcpyAsync(buffer, h + i * part, part * sizeof(float), cudaMemcpyHostToDevice, streams[i % 2]);
            add_one<<<part / 256, 256, 0, streams[i % 2]>>>(buffer, part);
            cudaMemcpyAsync(g + i * part, buffer, part * sizeof(float), cudaMemcpyDeviceToHost, streams[i % 2]);
        }
        cudaDeviceSynchronize();
        right = equal(g, 2);
        break;
    }
    case 2: {  // two buffers between a stream that copies and one that computes
        cudaEvent_t filled[2] = {a, b}, used[2];
        cudaEventCreate(&used[0]), cudaEventCreate(&used[1]);
        float *buffers[2];
        cudaMalloc(&buffers[0], BYTES), cudaMalloc(&buffers[1], BYTES);
        for (int i = 0; i < 6; i++) {
            int now = i % 2;
            if (i > 1) cudaStreamWaitEvent(s, used[now], 0);
            cudaMemcpyAsync(buffers[now], h, BYTES, cudaMemcpyHostToDevice, s);
            cudaEventRecord(filled[now], s);
            cudaStreamWaitEvent(t, filled[now], 0);
            add<<<BLOCKS, 256, 0, t>>>(buffers[now], d, N);
            cudaEventRecord(used[now], t);
        }
        cudaMemcpyAsync(g, d, BYTES, cudaMemcpyDeviceToHost, t);
        cudaStreamSynchronize(t);
        right = equal(g, 7);
        cudaEventDestroy(used[0]), cudaEventDestroy(used[1]), cudaFree(buffers[0]), cudaFree(buffers[1]);
        break;
    }
    case 3:  // a host function between a copy and the next
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
        cudaLaunchHostFunc(s, sum_up, h);
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
        cudaStreamSynchronize(s);
        right = h[0] == 100;
        break;
    case 4:  // fork and join
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaEventRecord(a, s);
        cudaStreamWaitEvent(t, a, 0), cudaStreamWaitEvent(u, a, 0);
        add_one<<<BLOCKS, 256, 0, t>>>(d, N / 2);
        add_one<<<BLOCKS, 256, 0, u>>>(d + N / 2, N / 2);
        cudaEventRecord(b, t), cudaEventRecord(c, u);
        cudaStreamWaitEvent(s, b, 0), cudaStreamWaitEvent(s, c, 0);
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
        cudaStreamSynchronize(s);
        right = equal(h, 4);
        break;
    case 5: {  // priorities
        int least, greatest;
        cudaStream_t low, high;
        cudaDeviceGetStreamPriorityRange(&least, &greatest);
        cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least);
        cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest);
        add_one<<<BLOCKS, 256, 0, low>>>(d, N);
        add_one<<<BLOCKS, 256, 0, high>>>(e, N);
        cudaStreamSynchronize(high), cudaStreamSynchronize(low);
        cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost), cudaMemcpy(g, e, BYTES, cudaMemcpyDeviceToHost);
        right = least == 0 && greatest < least && equal(h, 2) && equal(g, 2);
        cudaStreamDestroy(low), cudaStreamDestroy(high);
        break;
    }
    case 6:  // a non-blocking stream beside the default stream
        add_one<<<BLOCKS, 256, 0, u>>>(d, N);
        add_one<<<BLOCKS, 256>>>(e, N);
        cudaDeviceSynchronize();
        cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost), cudaMemcpy(g, e, BYTES, cudaMemcpyDeviceToHost);
        right = equal(h, 2) && equal(g, 2);
        break;
    case 7:  // neighbouring parts of one array
        for (int i = 0; i < 3; i++) {
            int first = N * i / 3, part = N * (i + 1) / 3 - first;
            add_one<<<BLOCKS, 256, 0, i == 0 ? s : i == 1 ? t : u>>>(d + first, part);
        }
        cudaDeviceSynchronize();
        cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);
        right = equal(h, 2);
        break;
    case 8: {  // neighbouring bytes of one word
        char out[10], *x = reinterpret_cast<char *>(d);
        bytes<<<1, 32, 0, s>>>(x, 0, 5);
        bytes<<<1, 32, 0, t>>>(x, 5, 10);
        cudaDeviceSynchronize();
        cudaMemcpy(out, x, 10, cudaMemcpyDeviceToHost);
        for (char each : out) right += each;
        right = right == 10;
        break;
    }
    case 9: {  // atomics on one counter
        int both;
        count<<<BLOCKS, 256, 0, s>>>(d, found, N);
        count<<<BLOCKS, 256, 0, t>>>(e, found, N);
        cudaDeviceSynchronize();
        cudaMemcpy(&both, found, sizeof both, cudaMemcpyDeviceToHost);
        right = both == 2 * N;
        break;
    }
    case 10:  // the default stream waits for others, and they for it
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        add_one<<<BLOCKS, 256>>>(d, N);
        add_one<<<BLOCKS, 256, 0, t>>>(d, N);
        cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);
        right = equal(h, 4);
        break;
    case 11:  // two streams read one array
        add<<<BLOCKS, 256, 0, s>>>(d, e, N);
        add<<<BLOCKS, 256, 0, t>>>(d, m, N);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, u);
        cudaDeviceSynchronize();
        right = equal(h, 1) && equal(m, 2);
        break;
    case 12:  // one event, recorded again in each step
        for (int i = 0; i < 5; i++) {
            cudaStream_t now = i % 2 ? s : t, next = i % 2 ? t : s;
            add_one<<<BLOCKS, 256, 0, now>>>(d, N);
            cudaEventRecord(a, now);
            cudaStreamWaitEvent(next, a, 0);
        }
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
        cudaStreamSynchronize(s);
        right = equal(h, 6);
        break;
    case 13:  // the host orders two streams
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaStreamSynchronize(s);
        add_one<<<BLOCKS, 256, 0, u>>>(d, N);
        while (cudaStreamQuery(u) == cudaErrorNotReady) ;
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, t);
        cudaEventRecord(a, t);
        cudaEventSynchronize(a);
        right = equal(h, 3);
        break;
    case 14:  // the host asks an event until it is reached
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaEventRecord(a, s);
        add_one<<<BLOCKS, 256, 0, s>>>(e, N);
        while (cudaEventQuery(a) == cudaErrorNotReady) ;
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, u);
        cudaDeviceSynchronize();
        right = equal(h, 2);
        break;
    case 15:  // managed memory: the host uses another part of it
        add_one<<<BLOCKS, 256, 0, s>>>(m, N / 2);
        right = m[N - 1] == 1;
        m[N - 1] = 2;
        cudaStreamSynchronize(s);
        right += m[0] == 2;
        right = right == 2;
        break;
    case 16:  // managed memory that a kernel only reads
        add<<<BLOCKS, 256, 0, s>>>(m, d, N);
        right = m[0] == 1;
        cudaStreamSynchronize(s);
        break;
    case 17:  // mapped memory, half of it for the host
        add_one<<<BLOCKS, 256, 0, s>>>(h, N / 2);
        for (int i = N / 2; i < N; i++) h[i] += 1;
        cudaStreamSynchronize(s);
        right = equal(h, 2);
        break;
    case 18:  // streams and events that are destroyed while they are in use
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaEventRecord(a, s);
        cudaStreamWaitEvent(t, a, 0);
        cudaEventDestroy(a), cudaStreamDestroy(s);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, t);
        cudaStreamSynchronize(t);
        right = equal(h, 2);
        cudaEventCreate(&a), cudaStreamCreate(&s);
        break;
    case 19: {  // threads of the host, each with a stream and a part
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; i++) threads.emplace_back([=] {
            cudaStream_t own;
            cudaStreamCreate(&own);
            add_one<<<BLOCKS / 4, 256, 0, own>>>(d + i * N / 4, N / 4);
            cudaMemcpyAsync(h + i * N / 4, d + i * N / 4, BYTES / 4, cudaMemcpyDeviceToHost, own);
            cudaStreamSynchronize(own);
            cudaStreamDestroy(own);
        });
        for (auto &each : threads) each.join();
        right = equal(h, 2);
        break;
    }
    case 20:  // every second element
        every<<<BLOCKS / 2, 256, 0, s>>>(d, N, 0, 2);
        every<<<BLOCKS / 2, 256, 0, t>>>(d, N, 1, 2);
        cudaDeviceSynchronize();
        cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);
        right = equal(h, 2);
        break;
    case 21:  // columns of a matrix
        cudaMemcpy2DAsync(d, 512, h, 512, 256, N / 128, cudaMemcpyHostToDevice, s);
        cudaMemcpy2DAsync(d + 64, 512, h, 512, 256, N / 128, cudaMemcpyHostToDevice, t);
        cudaDeviceSynchronize();
        right = 1;
        break;
    case 22:  // the order goes through a third stream
        add_one<<<BLOCKS, 256, 0, s>>>(d, N);
        cudaEventRecord(a, s);
        cudaStreamWaitEvent(u, a, 0);
        cudaEventRecord(b, u);
        cudaStreamWaitEvent(t, b, 0);
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, t);
        cudaEventRecord(c, t);
        cudaEventSynchronize(c);
        right = equal(h, 2);
        break;
    case 23:  // many small parts in turn
        for (int i = 0; i < 64; i++) {
            cudaStream_t own = i % 3 == 0 ? s : i % 3 == 1 ? t : u;
            cudaMemsetAsync(d + i * (N / 64), 0, BYTES / 64, own);
            add_one<<<1, 256, 0, own>>>(d + i * (N / 64), N / 64);
        }
        cudaDeviceSynchronize();
        cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);
        right = equal(h, 1);
        break;
    }
    printf("%d\n", right);
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaStreamDestroy(u);
    cudaEventDestroy(a), cudaEventDestroy(b), cudaEventDestroy(c);
    cudaFree(d), cudaFree(e), cudaFree(found), cudaFreeHost(h), cudaFreeHost(g), cudaFree(m);
    return 0;
}
