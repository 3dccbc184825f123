// Nothing here is wrong. Each case prints what it computed.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
#include <cuda_runtime.h>

template <class T> __global__ void scale(T *x, int n, T by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}

struct Part { int *data; int first, count; };
__global__ void fill(Part part)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < part.count) part.data[part.first + i] = part.first + i;
}

__constant__ int offset;
__device__ int total;
__global__ void add_up(const int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&total, x[i] + offset);
}

static void count(void *number) { ++*static_cast<int *>(number); }
static void CUDART_CB counted(cudaStream_t, cudaError_t error, void *number) { if (!error) ++*static_cast<int *>(number); }

int main(int argc, char **argv)
{
    const int n = 1 << 16;
    int *d, *h, sum = 0, calls = 0, five = 5;
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: {  // pageable memory, a template, a symbol of each kind
        std::vector<int> x(n, 3);
        cudaMalloc(&d, n * sizeof(int));
        cudaMemcpy(d, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        scale<int><<<(n + 255) / 256, 256>>>(d, n, 2);
        cudaMemcpyToSymbol(offset, &five, sizeof five);
        add_up<<<(n + 255) / 256, 256>>>(d, n);
        cudaMemcpyFromSymbol(&sum, total, sizeof sum);
        cudaFree(d);
        printf("%d\n", sum == 11 * n);
        break;
    }
    case 2: {  // pinned memory, four streams, callbacks, events
        cudaStream_t streams[4];
        cudaEvent_t start, stop;
        cudaMallocHost(&h, n * sizeof(int));
        cudaMalloc(&d, n * sizeof(int));
        for (int i = 0; i < n; i++) h[i] = i;
        cudaEventCreate(&start), cudaEventCreate(&stop);
        cudaEventRecord(start);
        for (int i = 0; i < 4; i++) {
            int part = n / 4, at = i * part;
            cudaStreamCreateWithFlags(&streams[i], i % 2 ? cudaStreamNonBlocking : cudaStreamDefault);
            cudaMemcpyAsync(d + at, h + at, part * sizeof(int), cudaMemcpyHostToDevice, streams[i]);
            scale<<<part / 256, 256, 0, streams[i]>>>(d + at, part, 3);
            cudaMemcpyAsync(h + at, d + at, part * sizeof(int), cudaMemcpyDeviceToHost, streams[i]);
            if (i % 2) cudaLaunchHostFunc(streams[i], count, &calls);
            else cudaStreamAddCallback(streams[i], counted, &calls, 0);
        }
        for (auto stream : streams) cudaStreamSynchronize(stream);
        cudaEventRecord(stop);
        cudaEventSynchronize(stop);
        float ms;
        cudaEventElapsedTime(&ms, start, stop);
        for (int i = 0; i < n; i++) sum += h[i] == 3 * i;
        for (auto stream : streams) cudaStreamDestroy(stream);
        cudaEventDestroy(start), cudaEventDestroy(stop);
        cudaFree(d), cudaFreeHost(h);
        printf("%d %d %d\n", sum == n, calls, ms > 0);
        break;
    }
    case 3: {  // managed memory and a structure with a pointer
        cudaMallocManaged(&d, n * sizeof(int));
        memset(d, 0, n * sizeof(int));
        fill<<<n / 256, 256>>>(Part{d, 0, n});
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++) sum += d[i] == i;
        cudaFree(d);
        printf("%d\n", sum == n);
        break;
    }
    case 4: {  // pitched memory, rows of a matrix
        char matrix[30][100], back[30][100];
        for (int y = 0; y < 30; y++) for (int x = 0; x < 100; x++) matrix[y][x] = char(x + y);
        size_t pitch;
        char *p;
        cudaMallocPitch(&p, &pitch, 100, 30);
        cudaMemcpy2D(p, pitch, matrix, 100, 100, 30, cudaMemcpyHostToDevice);
        cudaMemset2D(p, pitch, 7, 10, 30);
        cudaMemcpy2D(back, 100, p, pitch, 100, 30, cudaMemcpyDeviceToHost);
        for (int y = 0; y < 30; y++) for (int x = 0; x < 100; x++) sum += back[y][x] == (x < 10 ? 7 : matrix[y][x]);
        cudaFree(p);
        printf("%d\n", sum == 3000);
        break;
    }
    case 5: {  // one stream waits for another; a program that polls
        cudaStream_t first, second;
        cudaEvent_t done;
        cudaStreamCreate(&first), cudaStreamCreate(&second), cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
        cudaMallocHost(&h, n * sizeof(int)), cudaMalloc(&d, n * sizeof(int));
        cudaMemsetAsync(d, 0, n * sizeof(int), first);
        fill<<<n / 256, 256, 0, first>>>(Part{d, 0, n});
        cudaEventRecord(done, first);
        cudaStreamWaitEvent(second, done, 0);
        cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, second);
        while (cudaStreamQuery(second) == cudaErrorNotReady) calls++;
        for (int i = 0; i < n; i++) sum += h[i] == i;
        cudaStreamDestroy(first), cudaStreamDestroy(second), cudaEventDestroy(done);
        cudaFree(d), cudaFreeHost(h);
        printf("%d %d\n", sum == n, calls > 0);
        break;
    }
    case 6: {  // memory of the program that is registered, and memory that the device uses directly
        std::vector<int> own(n, 4);
        int *alias;
        cudaHostRegister(own.data(), n * sizeof(int), cudaHostRegisterMapped);
        cudaHostGetDevicePointer(&alias, own.data(), 0);
        scale<<<n / 256, 256>>>(alias, n, 2);
        cudaDeviceSynchronize();
        for (int each : own) sum += each == 8;
        cudaHostUnregister(own.data());
        for (int each : own) sum += each == 8;
        printf("%d\n", sum == 2 * n);
        break;
    }
    case 7: {  // errors that the program asks for, and goes on
        int *none = nullptr;
        cudaError_t error = cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault);
        cudaStream_t stream = nullptr;
        printf("%d %s\n", error, cudaGetErrorName(cudaPeekAtLastError()));
        cudaFree(none), cudaStreamSynchronize(stream);
        break;
    }
    case 8: {  // threads of the host
        cudaMalloc(&d, n * sizeof(int));
        cudaMemset(d, 0, n * sizeof(int));
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; i++) threads.emplace_back([=] {
            fill<<<n / 4 / 256, 256>>>(Part{d, i * n / 4, n / 4});
            cudaDeviceSynchronize();
        });
        for (auto &each : threads) each.join();
        std::vector<int> x(n);
        cudaMemcpy(x.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++) sum += x[i] == i;
        cudaFree(d);
        printf("%d\n", sum == n);
        break;
    }
    case 9: {  // more than passes through the stage at once, and a copy that is not of whole pieces
        size_t bytes = (70u << 20) + 123;
        std::vector<char> x(bytes), y(bytes);
        for (size_t i = 0; i < bytes; i += 4097) x[i] = char(i);
        char *p;
        cudaMalloc(&p, bytes);
        cudaMemcpy(p, x.data(), bytes, cudaMemcpyHostToDevice);
        cudaMemcpy(y.data(), p, bytes, cudaMemcpyDeviceToHost);
        cudaFree(p);
        printf("%d\n", x == y);
        break;
    }
    case 10: {  // allocations of no bytes, questions that have an error for an answer, and a device that is reset
        int *none = h;
        calls = cudaMalloc(&none, 0) == cudaSuccess && !none && cudaFree(none) == cudaSuccess;
        calls += cudaMallocHost(&none, 0) == cudaSuccess && !none && cudaFreeHost(none) == cudaSuccess;
        calls += cudaSetDevice(100) == cudaErrorInvalidDevice && cudaGetLastError() == cudaErrorInvalidDevice;
        cudaMalloc(&d, 16), cudaFree(d);
        cudaDeviceReset();
        cudaMalloc(&d, sizeof(int)), cudaMemset(d, 0, sizeof(int));
        cudaMemcpy(&sum, d, sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(d);
        printf("%d\n", calls == 3 && sum == 0);
        break;
    }
    }
    return 0;
}
