// mutant: the kernel is not in the stream of its copy | verdict: wrong | diagnostic: race of two streams
#include <cuda_runtime.h>
#include <utility>

#define TRY(call) do { if ((call) != cudaSuccess) return 1; } while (0)

constexpr int PART = 1024;  // elements of a block, which has half as many threads
constexpr int CHUNKS = 4, STREAMS = 2;
static float *numbers, *partial;
static cudaStream_t streams[STREAMS];
static cudaEvent_t second_is_done;

__global__ void reduce(float *x, float *sums, int n)
{
    int left = blockIdx.x * PART + threadIdx.x;
    for (int half = PART / 2; half > 0; half /= 2) {
        if (threadIdx.x < half && left + half < n) x[left] += x[left + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = x[left];
}

static int parts(int n) { return (n + PART - 1) / PART; }

// Reduces `left` elements of x to the first one of what it returns; the two arrays take turns.
static float *reduce_all(float *x, float *sums, int left, cudaStream_t stream)
{
    do {
        reduce<<<parts(left), PART / 2, 0, stream>>>(x, sums, left);
        left = parts(left);
        std::swap(x, sums);
    } while (left > 1);
    return x;
}

int reduce_sum_prepare(const float *x, int n, float *sum)
{
    TRY(cudaMalloc(&numbers, n * sizeof(float)));
    TRY(cudaMalloc(&partial, (parts(n) + CHUNKS) * sizeof(float)));
    TRY(cudaHostRegister(const_cast<float *>(x), n * sizeof(float), cudaHostRegisterDefault));
    TRY(cudaHostRegister(sum, sizeof(float), cudaHostRegisterDefault));
    for (auto &stream : streams) TRY(cudaStreamCreate(&stream));
    TRY(cudaEventCreateWithFlags(&second_is_done, cudaEventDisableTiming));
    return 0;
}

// A chunk has whole parts, so that its sums follow those of the chunk before.
int reduce_sum(const float *x, int n, float *sum)
{
    int chunk = (parts(n) + CHUNKS - 1) / CHUNKS * PART, turn = 0;
    for (int first = 0; first < n; first += chunk, turn++) {
        int count = n - first < chunk ? n - first : chunk;
        cudaStream_t stream = streams[turn % STREAMS];
        TRY(cudaMemcpyAsync(numbers + first, x + first, count * sizeof(float), cudaMemcpyHostToDevice, stream));  // <- here
        reduce<<<parts(count), PART / 2, 0, streams[(turn + 1) % STREAMS]>>>(numbers + first, partial + first / PART, count);  // <- here
    }
    TRY(cudaEventRecord(second_is_done, streams[1]));
    TRY(cudaStreamWaitEvent(streams[0], second_is_done));
    float *total = reduce_all(partial, numbers, parts(n), streams[0]);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(sum, total, sizeof(float), cudaMemcpyDeviceToHost, streams[0]));
    TRY(cudaStreamSynchronize(streams[0]));
    return 0;
}

int reduce_sum_finish(const float *x, int, float *sum)
{
    for (auto stream : streams) TRY(cudaStreamDestroy(stream));
    TRY(cudaEventDestroy(second_is_done));
    TRY(cudaHostUnregister(const_cast<float *>(x)));
    TRY(cudaHostUnregister(sum));
    TRY(cudaFree(numbers));
    TRY(cudaFree(partial));
    return 0;
}
