// Rung `expert`: a block takes 2048 elements, eight per thread, and asks for its places with one atomic addition. The
// warps count their votes first, then the counts of the eight warps are added up in shared memory.
//
// launch: compact block=256 grid=ceil(n/2048)

#define WARPS 8
#define ROUNDS 8
#define EVERYONE 0xffffffffu

__global__ void compact(const float *__restrict__ x, float *__restrict__ out, int *__restrict__ count,
                        float threshold, int n)
{
    __shared__ int of_warp[WARPS];
    __shared__ int first_of_block;

    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int begin = blockIdx.x * WARPS * ROUNDS * 32 + warp * ROUNDS * 32 + lane;

    float value[ROUNDS];
    unsigned int votes[ROUNDS];
    int kept = 0;
#pragma unroll
    for (int k = 0; k < ROUNDS; ++k) {
        const int i = begin + k * 32;
        value[k] = i < n ? x[i] : threshold;
    }
#pragma unroll
    for (int k = 0; k < ROUNDS; ++k) {
        votes[k] = __ballot_sync(EVERYONE, value[k] > threshold);
        kept += __popc(votes[k]);
    }
    if (lane == 0) {
        of_warp[warp] = kept;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int w = 0; w < WARPS; ++w) {
            const int here = of_warp[w];
            of_warp[w] = total;
            total += here;
        }
        first_of_block = atomicAdd(count, total);
    }
    __syncthreads();
    int place = first_of_block + of_warp[warp];
#pragma unroll
    for (int k = 0; k < ROUNDS; ++k) {
        if (value[k] > threshold) {
            out[place + __popc(votes[k] & ((1u << lane) - 1))] = value[k];
        }
        place += __popc(votes[k]);
    }
}
