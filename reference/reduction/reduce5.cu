// Rung `reduce5`: the last warp unrolled.
//
// From 32 sums on, only one warp is at work, and a warp needs no barrier of the whole block. It does need to wait for its
// own lanes, though: since Volta they may run apart, so each level reads, waits, writes and waits again with
// __syncwarp. The source leaves that out, which was safe on the devices of its time and is a race today. A block still
// has 512 values only; what it costs to start and to end is spread over few of them.

// launch: reduce_int32 block=256 grid=ceil(n/512)
// launch: reduce_float32 block=256 grid=ceil(n/512)

#define BLOCK 256
#define WARP 32

template <typename T>
__device__ void reduce(const T *in, T *sums, int n)
{
    __shared__ T data[BLOCK];

    const int thread = threadIdx.x;
    const int i = 2 * blockIdx.x * BLOCK + thread;

    // Two values each; zeros stand in for what lies beyond the end.
    data[thread] = (i < n ? in[i] : 0) + (i + BLOCK < n ? in[i + BLOCK] : 0);
    __syncthreads();
    for (int s = BLOCK / 2; s > WARP; s /= 2) {
        if (thread < s) {
            data[thread] += data[thread + s];
        }
        __syncthreads();
    }
    if (thread < WARP) {
        T sum = data[thread] + data[thread + WARP];
#pragma unroll
        for (int s = WARP / 2; s > 0; s /= 2) {
            data[thread] = sum;
            __syncwarp();
            sum += data[thread + s];
            __syncwarp();
        }
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
