// Rung `expert`: many products per thread by 16-byte loads, several sums under way, warp shuffles.
//
// No tile: each product is added to a register at once. Only as many blocks as the device holds walk over the vectors
// together, so a block's start and its tree are paid for once per thousands of products. A thread asks for 64 bytes of
// each vector before it needs the first. Only the sums of the warps pass through shared memory, each in a
// bank of its own: nothing to pad. What limits it is the bandwidth of memory: every element is read exactly once.

// launch: dot_product_shared_padded block=256 grid=min(ceil(n/4096),1056)

#define BLOCK 256
#define WARP 32
#define LOADS 4
#define CHUNK (BLOCK * LOADS * 4)  // products that a block takes at a time

__device__ float sum_of_warp(float value)
{
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    }
    return value;
}

__global__ void dot_product_shared_padded(const float *x, const float *y, float *out, float *work, int n)
{
    __shared__ float of_warp[BLOCK / WARP];

    const int thread = threadIdx.x;
    const int chunks = n / CHUNK;

    // A sum for each load, so that no multiply-add waits for the one of its neighbour.
    float partial[LOADS] = {};
    for (int chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
        const float4 *xs = reinterpret_cast<const float4 *>(x + (size_t)chunk * CHUNK);
        const float4 *ys = reinterpret_cast<const float4 *>(y + (size_t)chunk * CHUNK);
        float4 a[LOADS], b[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; ++k) {
            a[k] = xs[k * BLOCK + thread];
            b[k] = ys[k * BLOCK + thread];
        }
#pragma unroll
        for (int k = 0; k < LOADS; ++k) {
            partial[k] += a[k].x * b[k].x + a[k].y * b[k].y + a[k].z * b[k].z + a[k].w * b[k].w;
        }
    }
    float sum = (partial[0] + partial[1]) + (partial[2] + partial[3]);

    // The last block takes what fills no chunk: it has the fewest of them.
    if (blockIdx.x == gridDim.x - 1) {
        for (int i = chunks * CHUNK + thread; i < n; i += BLOCK) {
            sum += x[i] * y[i];
        }
    }

    sum = sum_of_warp(sum);
    if (thread % WARP == 0) {
        of_warp[thread / WARP] = sum;
    }
    __syncthreads();
    if (thread < WARP) {
        sum = sum_of_warp(thread < BLOCK / WARP ? of_warp[thread] : 0.0f);
        if (thread == 0) {
            out[blockIdx.x] = sum;
        }
    }
}
