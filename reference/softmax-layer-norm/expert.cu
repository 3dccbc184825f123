// Rung `expert`: one block per row. A thread keeps eight elements in registers, so rows of up to 1024 are read once and
// each exponential is computed once; shuffles merge the numbers of a warp. Longer rows keep what fits and read the rest
// again.
//
// launch: softmax block=128 grid=rows
// launch: layer_norm block=128 grid=rows

#define THREADS 128
#define WARPS (THREADS / 32)
#define KEPT 8
#define EVERYONE 0xffffffffu

__device__ float most_of_block(float mine, float *of_warp)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        mine = fmaxf(mine, __shfl_xor_sync(EVERYONE, mine, distance));
    }
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = mine;
    }
    __syncthreads();
    return fmaxf(fmaxf(of_warp[0], of_warp[1]), fmaxf(of_warp[2], of_warp[3]));
}

__device__ float sum_of_block(float mine, float *of_warp)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        mine += __shfl_xor_sync(EVERYONE, mine, distance);
    }
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = mine;
    }
    __syncthreads();
    return of_warp[0] + of_warp[1] + of_warp[2] + of_warp[3];
}

__global__ void softmax(const float *__restrict__ x, float *__restrict__ out, int rows, int cols)
{
    __shared__ float of_most[WARPS];
    __shared__ float of_sums[WARPS];

    const float *in = x + (size_t)blockIdx.x * cols;
    float *result = out + (size_t)blockIdx.x * cols;
    const int me = threadIdx.x;

    float kept[KEPT];
    float most = in[0];
#pragma unroll
    for (int k = 0; k < KEPT; ++k) {
        const int i = me + k * THREADS;
        if (i < cols) {
            kept[k] = in[i];
            most = fmaxf(most, kept[k]);
        }
    }
    for (int i = me + KEPT * THREADS; i < cols; i += THREADS) {
        most = fmaxf(most, in[i]);
    }
    most = most_of_block(most, of_most);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < KEPT; ++k) {
        if (me + k * THREADS < cols) {
            kept[k] = expf(kept[k] - most);
            sum += kept[k];
        }
    }
    for (int i = me + KEPT * THREADS; i < cols; i += THREADS) {
        sum += expf(in[i] - most);
    }
    const float inverse = 1.0f / sum_of_block(sum, of_sums);
#pragma unroll
    for (int k = 0; k < KEPT; ++k) {
        const int i = me + k * THREADS;
        if (i < cols) {
            result[i] = kept[k] * inverse;
        }
    }
    for (int i = me + KEPT * THREADS; i < cols; i += THREADS) {
        result[i] = expf(in[i] - most) * inverse;
    }
}

__global__ void layer_norm(const float *__restrict__ x, const float *__restrict__ weight, const float *__restrict__ bias,
                           float *__restrict__ normalised, int rows, int cols)
{
    __shared__ float of_sums[WARPS];
    __shared__ float of_squares[WARPS];

    const float *in = x + (size_t)blockIdx.x * cols;
    float *result = normalised + (size_t)blockIdx.x * cols;
    const int me = threadIdx.x;

    float kept[KEPT];
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < KEPT; ++k) {
        const int i = me + k * THREADS;
        kept[k] = i < cols ? in[i] : 0.0f;
        sum += kept[k];
    }
    for (int i = me + KEPT * THREADS; i < cols; i += THREADS) {
        sum += in[i];
    }
    const float mean = sum_of_block(sum, of_sums) / cols;
    float squares = 0.0f;
#pragma unroll
    for (int k = 0; k < KEPT; ++k) {
        kept[k] -= mean;
        if (me + k * THREADS < cols) {
            squares += kept[k] * kept[k];
        }
    }
    for (int i = me + KEPT * THREADS; i < cols; i += THREADS) {
        squares += (in[i] - mean) * (in[i] - mean);
    }
    const float inverse = rsqrtf(sum_of_block(squares, of_squares) / cols + 1e-5f);
#pragma unroll
    for (int k = 0; k < KEPT; ++k) {
        const int i = me + k * THREADS;
        if (i < cols) {
            result[i] = kept[k] * inverse * weight[i] + bias[i];
        }
    }
    for (int i = me + KEPT * THREADS; i < cols; i += THREADS) {
        result[i] = (in[i] - mean) * inverse * weight[i] + bias[i];
    }
}
