// mutant: scan_blocks has one barrier per step, so a thread adds what another has already changed | verdict: wrong | diagnostic: shared-memory race | beside: look_back
__global__ void scan_blocks(const int *x, int *y, int *sums, int n)
{
    __shared__ int line[1024];
    int me = threadIdx.x, i = blockIdx.x * 1024 + me;
    int mine = i < n ? x[i] : 0;
    line[me] = mine;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        int before = me >= d ? line[me - d] : 0;  // <- here
        line[me] += before;  // <- here
        __syncthreads();
    }
    if (i < n) y[i] = line[me] - mine;
    if (me == 1023) sums[blockIdx.x] = line[me];
}
__global__ void add_offsets(int *y, const int *offsets, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] += offsets[i / 1024];
    }
}
