// mutant: scans the counts of other threads before they are there | verdict: wrong | diagnostic: shared-memory race
__global__ void count_digits(const unsigned *x, int *counts, int shift, int n)
{
    __shared__ int mine[16];
    if (threadIdx.x < 16) {
        mine[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 1024; k += 256) {
        const int i = blockIdx.x * 1024 + k;
        if (i < n) {
            atomicAdd(&mine[x[i] >> shift & 15], 1);  // <- here
        }
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
    }
}

// Each thread adds up a part of the counts, the sums of all threads are scanned in shared memory, and each thread writes
// its part.
__global__ void scan_counts(int *counts, int n)
{
    __shared__ int sums[1024];
    const int length = 16 * ((n + 1023) / 1024), part = (length + 1023) / 1024;
    const int me = threadIdx.x, first = min(me * part, length), last = min(first + part, length);
    int sum = 0;
    for (int i = first; i < last; i++) {
        sum += counts[i];
    }
    sums[me] = sum;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        const int before = me >= d ? sums[me - d] : 0;
        __syncthreads();
        sums[me] += before;
        __syncthreads();
    }
    int total = sums[me] - sum;
    for (int i = first; i < last; i++) {
        const int count = counts[i];
        counts[i] = total;
        total += count;
    }
}

__global__ void scatter(const unsigned *x, const int *counts, unsigned *y, int shift, int n)
{
    __shared__ int before[16][256];
    const int me = threadIdx.x, first = blockIdx.x * 1024 + 4 * me, last = min(n, first + 4);
    for (int digit = 0; digit < 16; digit++) {
        before[digit][me] = 0;  // <- here
    }
    for (int i = first; i < last; i++) {
        before[x[i] >> shift & 15][me]++;  // <- here
    }
    // A warp scans two digits, 32 threads' counts at a time.
    const int lane = me % 32;
    for (int digit = me / 32; digit < 16; digit += 8) {
        int total = counts[digit * gridDim.x + blockIdx.x];
        for (int k = lane; k < 256; k += 32) {
            const int count = before[digit][k];  // <- here
            int sum = count;
            for (int d = 1; d < 32; d *= 2) {
                const int other = __shfl_up_sync(0xffffffff, sum, d);
                sum += lane >= d ? other : 0;
            }
            before[digit][k] = total + sum - count;  // <- here
            total += __shfl_sync(0xffffffff, sum, 31);
        }
    }
    __syncthreads();
    for (int i = first; i < last; i++) {
        y[before[x[i] >> shift & 15][me]++] = x[i];  // <- here
    }
}
