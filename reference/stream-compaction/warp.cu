// Rung `warp`: the lanes vote. One of them takes places for all that keep their element, and each finds its own place
// by counting the votes of the lanes before it.

__global__ void compact(const float *x, float *out, int *count, float threshold, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const float value = i < n ? x[i] : 0.0f;
    const bool keep = i < n && value > threshold;
    const unsigned int votes = __ballot_sync(0xffffffff, keep);
    int first = 0;
    if (lane == 0 && votes != 0) {
        first = atomicAdd(count, __popc(votes));
    }
    first = __shfl_sync(0xffffffff, first, 0);
    if (keep) {
        out[first + __popc(votes & ((1u << lane) - 1))] = value;
    }
}
