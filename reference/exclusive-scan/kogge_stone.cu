// Rung `kogge_stone`: after step k every element is the sum of the 2^k elements up to it. Ten steps for 1024 elements,
// and in each nearly every thread adds, so that a block adds ten thousand times for a thousand elements.

#define SEGMENT 1024

__global__ void scan_blocks(const int *x, int *y, int *sums, int n)
{
    __shared__ int line[SEGMENT];

    const int me = threadIdx.x;
    const int i = blockIdx.x * SEGMENT + me;
    const int mine = i < n ? x[i] : 0;
    line[me] = mine;
    __syncthreads();
    for (int distance = 1; distance < SEGMENT; distance *= 2) {
        const int before = me >= distance ? line[me - distance] : 0;
        __syncthreads();
        line[me] += before;
        __syncthreads();
    }
    if (i < n) {
        y[i] = line[me] - mine;
    }
    if (me == SEGMENT - 1) {
        sums[blockIdx.x] = line[me];
    }
}

__global__ void add_offsets(int *y, const int *offsets, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] += offsets[i / 1024];
    }
}
