// mutant: the vote names all lanes, but only those that keep their element take part | verdict: wrong | diagnostic: global-memory race
__global__ void compact(const float *x, float *out, int *count, float threshold, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int first = 0;
    if (i < n && x[i] > threshold) {
        unsigned votes = __ballot_sync(0xffffffff, true);
        if (lane == 0)
            first = atomicAdd(count, __popc(votes));
        first = __shfl_sync(0xffffffff, first, 0);
        out[first + __popc(votes & ((1u << lane) - 1))] = x[i];  // <- here
    }
}
