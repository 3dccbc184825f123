// Rung `expert`: the program takes little longer than the copies in, which are two thirds of all bytes.
//
// One stream copies in without a gap; the other computes and copies out what has arrived. Each chunk is half of what is
// left: its copy out takes as long as the next chunk's copies in, and little is left to do when the last one arrives.
#include <cuda_runtime.h>

#define TRY(call) do { if ((call) != cudaSuccess) return 1; } while (0)

constexpr int THREADS = 256, BLOCKS = 160, CHUNKS = 6;
static float *device_x, *device_y;
static cudaStream_t copies_in, results;
static cudaEvent_t has_arrived[CHUNKS];

__global__ void multiply_add(int n, float alpha, const float *x, float *y)
{
    int thread = blockIdx.x * THREADS + threadIdx.x, fours = n / 4;
    auto x4 = reinterpret_cast<const float4 *>(x);
    auto y4 = reinterpret_cast<float4 *>(y);
    for (int i = thread; i < fours; i += gridDim.x * THREADS) {
        float4 a = x4[i], b = y4[i];
        y4[i] = {alpha * a.x + b.x, alpha * a.y + b.y, alpha * a.z + b.z, alpha * a.w + b.w};
    }
    int last = 4 * fours + thread;
    if (last < n) y[last] = alpha * x[last] + y[last];
}

int stream_saxpy_prepare(int n, int alpha, const float *x, float *y)
{
    TRY(cudaMalloc(&device_x, n * sizeof(float)));
    TRY(cudaMalloc(&device_y, n * sizeof(float)));
    TRY(cudaHostRegister(const_cast<float *>(x), n * sizeof(float), cudaHostRegisterDefault));
    TRY(cudaHostRegister(y, n * sizeof(float), cudaHostRegisterDefault));
    TRY(cudaStreamCreate(&copies_in));
    TRY(cudaStreamCreate(&results));
    for (auto &event : has_arrived) TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return 0;
}

int stream_saxpy(int n, int alpha, const float *x, float *y)
{
    for (int chunk = 0, first = 0; first < n; chunk++) {
        // Multiples of four elements for the 16-byte loads; the last chunk takes the rest.
        int left = n - first, half = left / 8 * 4, count = chunk == CHUNKS - 1 || half == 0 ? left : half;
        size_t bytes = count * sizeof(float);
        TRY(cudaMemcpyAsync(device_x + first, x + first, bytes, cudaMemcpyHostToDevice, copies_in));
        TRY(cudaMemcpyAsync(device_y + first, y + first, bytes, cudaMemcpyHostToDevice, copies_in));
        TRY(cudaEventRecord(has_arrived[chunk], copies_in));
        TRY(cudaStreamWaitEvent(results, has_arrived[chunk]));
        multiply_add<<<BLOCKS, THREADS, 0, results>>>(count, alpha, device_x + first, device_y + first);
        TRY(cudaGetLastError());
        TRY(cudaMemcpyAsync(y + first, device_y + first, bytes, cudaMemcpyDeviceToHost, results));
        first += count;
    }
    TRY(cudaStreamSynchronize(results));
    return 0;
}

int stream_saxpy_finish(int n, int alpha, const float *x, float *y)
{
    for (auto event : has_arrived) TRY(cudaEventDestroy(event));
    TRY(cudaStreamDestroy(copies_in));
    TRY(cudaStreamDestroy(results));
    TRY(cudaHostUnregister(const_cast<float *>(x)));
    TRY(cudaHostUnregister(y));
    TRY(cudaFree(device_x));
    TRY(cudaFree(device_y));
    return 0;
}
