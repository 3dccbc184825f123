// Rung `global`: a thread adds up 32 neighbouring products, straight from global memory.
//
// Neighbouring threads read 32 elements apart, so each of a warp's loads falls into 32 sectors of its own where 4 would
// do; only the cache softens that, by keeping a sector for the next seven steps. The sums of the 64 threads of a
// block meet in a tree in global memory; every level waits for it.

#define EACH 32  // products of a thread

__global__ void dot_product_global(const float *x, const float *y, float *out, float *work, int n)
{
    const int thread = threadIdx.x;
    const int me = blockIdx.x * blockDim.x + thread;
    const int first = me * EACH;

    if (first < n) {
        float sum = 0.0f;
        for (int i = first; i < min(first + EACH, n); ++i) {
            sum += x[i] * y[i];
        }
        work[me] = sum;
    }
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        // A thread beyond the end has no sum to add.
        if (thread < s && first + s * EACH < n) {
            work[me] += work[me + s];
        }
        __syncthreads();
    }
    if (thread == 0) {
        out[blockIdx.x] = work[me];
    }
}
