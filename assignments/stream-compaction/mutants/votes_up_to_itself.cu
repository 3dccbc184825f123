// mutant: a lane counts its own vote, so the first place stays empty and the last one is beyond the end | verdict: crashed | diagnostic: out of bounds
__global__ void compact(const float *x, float *out, int *count, float threshold, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool keep = i < n && x[i] > threshold;
    unsigned votes = __ballot_sync(0xffffffff, keep);
    int first = 0;
    if (lane == 0)
        first = atomicAdd(count, __popc(votes));
    first = __shfl_sync(0xffffffff, first, 0);
    if (keep)
        out[first + __popc(votes & ((2u << lane) - 1))] = x[i];  // <- here
}
