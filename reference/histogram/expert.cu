// Rung `expert`: each of the eight warps has counts of its own, so that only lanes of one warp collide; a thread loads
// 16 bytes at a time; and a block takes 16384 bytes, which makes the additions to the result rare.
//
// launch: histogram block=256 grid=ceil(n/16384)

#define VALUES 256
#define WARPS 8
#define BYTES_PER_BLOCK 16384
#define BYTES_PER_LOAD 16

__device__ void count_four(int *bins, unsigned int four)
{
    // Equal neighbours, of which images are full, take one addition instead of four.
    const unsigned int first = four & 0xff;
    if (four == first * 0x01010101u) {
        atomicAdd(&bins[first], 4);
        return;
    }
    for (int k = 0; k < 4; ++k) {
        atomicAdd(&bins[four >> 8 * k & 0xff], 1);
    }
}

__global__ void histogram(const unsigned char *__restrict__ data, int *__restrict__ counts, int n)
{
    __shared__ int bins[WARPS][VALUES];

    for (int w = 0; w < WARPS; ++w) {
        bins[w][threadIdx.x] = 0;
    }
    __syncthreads();
    int *mine = bins[threadIdx.x / 32];
    const int begin = blockIdx.x * BYTES_PER_BLOCK;
    const int end = min(n, begin + BYTES_PER_BLOCK);
    const int whole = begin + (end - begin) / BYTES_PER_LOAD * BYTES_PER_LOAD;
    for (int i = begin + threadIdx.x * BYTES_PER_LOAD; i < whole; i += VALUES * BYTES_PER_LOAD) {
        const uint4 bytes = *reinterpret_cast<const uint4 *>(data + i);
        count_four(mine, bytes.x);
        count_four(mine, bytes.y);
        count_four(mine, bytes.z);
        count_four(mine, bytes.w);
    }
    if (whole + threadIdx.x < end) {
        atomicAdd(&mine[data[whole + threadIdx.x]], 1);
    }
    __syncthreads();
    int count = 0;
    for (int w = 0; w < WARPS; ++w) {
        count += bins[w][threadIdx.x];
    }
    if (count > 0) {
        atomicAdd(&counts[threadIdx.x], count);
    }
}
