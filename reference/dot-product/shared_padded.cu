// Rung `shared_padded`: `shared` with one unused column in the tile.
//
// Rows are now 33 floats apart, so element [row][col] lies in bank (row + col) % 32, and what 32 threads read at a
// time in 32 different banks: no conflicts. What is left is that every product is written to shared memory and read
// again, though each is needed by one thread only: a thread that keeps its sum in a register and reads every 64th element
// needs no tile at all.

#define BLOCK 64
#define EACH 32  // products of a thread

__global__ void dot_product_shared_padded(const float *x, const float *y, float *out, float *work, int n)
{
    __shared__ float tile[BLOCK][EACH + 1];

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
