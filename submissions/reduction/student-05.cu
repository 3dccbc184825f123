// Лабораторная 3, редукция. Вариант reduce4 из методички, для int и float через макрос.
// launch: reduce_int32 block=128 grid=ceil(n/256)
// launch: reduce_float32 block=128 grid=ceil(n/256)

#define BLOCK_SIZE 128

#define REDUCE(type, in, out)                                      \
    __shared__ type data[BLOCK_SIZE];                              \
    int tid = threadIdx.x;                                         \
    int i = 2 * blockIdx.x * BLOCK_SIZE + tid;                     \
    data[tid] = 0;                                                 \
    if (i < n) data[tid] += in[i];                                 \
    if (i + BLOCK_SIZE < n) data[tid] += in[i + BLOCK_SIZE];       \
    __syncthreads();                                               \
    for (int s = BLOCK_SIZE / 2; s > 0; s >>= 1) {                 \
        if (tid < s) data[tid] += data[tid + s];                   \
        __syncthreads();                                           \
    }                                                              \
    if (tid == 0) out[blockIdx.x] = data[0];

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    REDUCE(int, a, a_sums)
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    REDUCE(float, x, x_sums)
}
