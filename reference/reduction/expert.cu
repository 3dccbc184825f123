// Rung `expert`: many elements per thread by 16-byte loads, several sums under way, warp shuffles.
//
// Only as many blocks as the device holds at once walk over the values together, so starting a block and its
// tree is paid for once per thousands of values. A thread asks for four times 16 bytes before it needs the first,
// which keeps memory busy. The tree goes through registers by shuffles; eight numbers pass through shared
// memory, each in a bank of its own. What limits it is the bandwidth of memory: every value is read exactly once.

// launch: reduce_int32 block=256 grid=min(ceil(n/4096),1056)
// launch: reduce_float32 block=256 grid=min(ceil(n/4096),1056)

#define BLOCK 256
#define WARP 32
#define LOADS 4
#define CHUNK (BLOCK * LOADS * 4)  // values that a block takes at a time

template <typename T>
struct alignas(16) Quad {
    T x, y, z, w;
};

template <typename T>
__device__ T sum_of_warp(T value)
{
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    }
    return value;
}

template <typename T>
__device__ void reduce(const T *in, T *sums, int n)
{
    __shared__ T of_warp[BLOCK / WARP];

    const int thread = threadIdx.x;
    const int chunks = n / CHUNK;

    // A sum for each load, so that no addition waits for the one of its neighbour.
    T partial[LOADS] = {};
    for (int chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
        const Quad<T> *quads = reinterpret_cast<const Quad<T> *>(in + (size_t)chunk * CHUNK);
        Quad<T> quad[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; ++k) {
            quad[k] = quads[k * BLOCK + thread];
        }
#pragma unroll
        for (int k = 0; k < LOADS; ++k) {
            partial[k] += (quad[k].x + quad[k].y) + (quad[k].z + quad[k].w);
        }
    }
    T sum = (partial[0] + partial[1]) + (partial[2] + partial[3]);

    // The last block takes what fills no chunk: it has the fewest of them.
    if (blockIdx.x == gridDim.x - 1) {
        for (int i = chunks * CHUNK + thread; i < n; i += BLOCK) {
            sum += in[i];
        }
    }

    sum = sum_of_warp(sum);
    if (thread % WARP == 0) {
        of_warp[thread / WARP] = sum;
    }
    __syncthreads();
    if (thread < WARP) {
        sum = sum_of_warp(thread < BLOCK / WARP ? of_warp[thread] : T(0));
        if (thread == 0) {
            sums[blockIdx.x] = sum;
        }
    }
}

__global__ void reduce_int32(const int *a, int *a_sums, int *work, int n)
{
    reduce(a, a_sums, n);
}

__global__ void reduce_float32(const float *x, float *x_sums, float *work, int n)
{
    reduce(x, x_sums, n);
}
