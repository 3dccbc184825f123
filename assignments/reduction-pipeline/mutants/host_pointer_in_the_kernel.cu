// mutant: passes host memory to the kernel | verdict: crashed
#include <cuda_runtime.h>
#include <utility>

#define TRY(call) do { if ((call) != cudaSuccess) return 1; } while (0)

constexpr int PART = 1024;  // elements of a block, which has half as many threads
static float *numbers, *partial;

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
        reduce<<<parts(left), PART / 2, 0, stream>>>(x, sums, left);  // <- here
        left = parts(left);
        std::swap(x, sums);
    } while (left > 1);
    return x;
}

int reduce_sum_prepare(const float *x, int n, float *sum)
{
    TRY(cudaMalloc(&numbers, n * sizeof(float)));
    TRY(cudaMalloc(&partial, parts(n) * sizeof(float)));
    return 0;
}

int reduce_sum(const float *x, int n, float *sum)
{
    TRY(cudaMemcpy(numbers, x, n * sizeof(float), cudaMemcpyHostToDevice));
    float *total = reduce_all(const_cast<float *>(x), partial, n, 0);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(sum, total, sizeof(float), cudaMemcpyDeviceToHost));  // <- here
    return 0;
}

int reduce_sum_finish(const float *, int, float *)
{
    TRY(cudaFree(numbers));
    TRY(cudaFree(partial));
    return 0;
}
