// Rung `expert`: a warp takes 128 neighbouring keys, 32 at a time. Four ballots give each lane the lanes with its digit: those
// below it are the keys that go before its own. Counts are kept per warp and digit, so little is left to scan.

// The lanes with the same digit as this one; those without a key have digit 16 and find each other.
__device__ unsigned same_digit(int digit)
{
    unsigned same = 0xffffffff;
    for (int bit = 0; bit < 5; bit++) {
        const unsigned set = __ballot_sync(0xffffffff, digit >> bit & 1);
        same &= digit >> bit & 1 ? set : ~set;
    }
    return same;
}

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
            atomicAdd(&mine[x[i] >> shift & 15], 1);
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
    __shared__ int places[8][17];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first = blockIdx.x * 1024 + warp * 128 + lane;
    unsigned keys[4];
    int digits[4], ranks[4];

    if (lane < 17) {
        places[warp][lane] = 0;
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int i = first + 32 * k;
        keys[k] = i < n ? x[i] : 0;
        digits[k] = i < n ? keys[k] >> shift & 15 : 16;
        const unsigned same = same_digit(digits[k]);
        const int lower = __popc(same & ((1u << lane) - 1));
        ranks[k] = places[warp][digits[k]] + lower;
        __syncwarp();
        if (lower == 0) {
            places[warp][digits[k]] += __popc(same);
        }
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        int total = counts[threadIdx.x * gridDim.x + blockIdx.x];
        for (int w = 0; w < 8; w++) {
            const int count = places[w][threadIdx.x];
            places[w][threadIdx.x] = total;
            total += count;
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        if (digits[k] < 16) {
            y[places[warp][digits[k]] + ranks[k]] = keys[k];
        }
    }
}
