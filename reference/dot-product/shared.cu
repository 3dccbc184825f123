// Rung `shared`: the products of a block pass through shared memory on their way to the thread that adds them.
//
// Neighbouring threads read neighbouring elements, multiply them and put the products into a tile: coalesced. Then
// thread t adds up row t of the tile, its own 32 neighbouring products as in `global`. In a [64][32] array of floats the
// elements that 32 threads read at a time lie in a single bank: each of those reads is a 32-way conflict, and the
// time saved on global memory is partly lost again.

#define BLOCK 64
#define EACH 32  // products of a thread

__global__ void dot_product_shared(const float *x, const float *y, float *out, float *work, int n)
{
    __shared__ float tile[BLOCK][EACH];

    const int thread = threadIdx.x;
    const int first = blockIdx.x * BLOCK * EACH;

    for (int k = thread; k < BLOCK * EACH; k += BLOCK) {
        // Zeros stand in for what lies beyond the end: they add nothing, and every thread reaches the barriers.
        tile[k / EACH][k % EACH] = first + k < n ? x[first + k] * y[first + k] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < EACH; ++k) {
        sum += tile[thread][k];
    }

    // The sums of all threads lie in the first two rows now, side by side. Nobody may write them while someone still
    // reads those rows.
    __syncthreads();
    tile[thread / EACH][thread % EACH] = sum;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (thread < s) {
            sum += tile[(thread + s) / EACH][(thread + s) % EACH];
            tile[0][thread] = sum;
        }
        __syncthreads();
    }
    if (thread == 0) {
        out[blockIdx.x] = sum;
    }
}
