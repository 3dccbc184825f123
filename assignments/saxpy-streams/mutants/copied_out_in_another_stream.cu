// mutant: the copy out does not wait for the kernel | verdict: wrong | diagnostic: race of two streams
#include <cuda_runtime.h>

#define TRY(call) do { if ((call) != cudaSuccess) return 1; } while (0)

constexpr int THREADS = 256, CHUNKS = 4, STREAMS = 2;
static float *device_x, *device_y;
static cudaStream_t streams[STREAMS];

__global__ void multiply_add(int n, float alpha, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i] + y[i];
}

int stream_saxpy_prepare(int n, int alpha, const float *x, float *y)
{
    TRY(cudaMalloc(&device_x, n * sizeof(float)));
    TRY(cudaMalloc(&device_y, n * sizeof(float)));
    TRY(cudaHostRegister(const_cast<float *>(x), n * sizeof(float), cudaHostRegisterDefault));
    TRY(cudaHostRegister(y, n * sizeof(float), cudaHostRegisterDefault));
    for (auto &stream : streams) TRY(cudaStreamCreate(&stream));
    return 0;
}

int stream_saxpy(int n, int alpha, const float *x, float *y)
{
    int chunk = (n + CHUNKS - 1) / CHUNKS, turn = 0;
    for (int first = 0; first < n; first += chunk, turn++) {
        int count = n - first < chunk ? n - first : chunk;
        size_t bytes = count * sizeof(float);
        cudaStream_t stream = streams[turn % STREAMS];
        TRY(cudaMemcpyAsync(device_x + first, x + first, bytes, cudaMemcpyHostToDevice, stream));
        TRY(cudaMemcpyAsync(device_y + first, y + first, bytes, cudaMemcpyHostToDevice, stream));
        multiply_add<<<(count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
            count, alpha, device_x + first, device_y + first);
        TRY(cudaGetLastError());
        TRY(cudaMemcpyAsync(y + first, device_y + first, bytes, cudaMemcpyDeviceToHost, streams[(turn + 1) % STREAMS]));  // <- here
    }
    for (auto stream : streams) TRY(cudaStreamSynchronize(stream));
    return 0;
}

int stream_saxpy_finish(int n, int alpha, const float *x, float *y)
{
    for (auto stream : streams) TRY(cudaStreamDestroy(stream));
    TRY(cudaHostUnregister(const_cast<float *>(x)));
    TRY(cudaHostUnregister(y));
    TRY(cudaFree(device_x));
    TRY(cudaFree(device_y));
    return 0;
}
