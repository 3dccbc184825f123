// mutant: counts lie segment by segment, not digit by digit | verdict: wrong
__global__ void count_digits(const unsigned *x, int *counts, int shift, int n)
{
    for (int k = threadIdx.x; k < 1024; k += 256) {
        const int i = blockIdx.x * 1024 + k;
        if (i < n) {
            atomicAdd(&counts[blockIdx.x * 16 + (x[i] >> shift & 15)], 1);
        }
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
    if (threadIdx.x < 16) {
        int place = counts[blockIdx.x * 16 + threadIdx.x];
        const int first = blockIdx.x * 1024, last = min(n, first + 1024);
        for (int i = first; i < last; i++) {
            if ((x[i] >> shift & 15) == threadIdx.x) {
                y[place++] = x[i];
            }
        }
    }
}
