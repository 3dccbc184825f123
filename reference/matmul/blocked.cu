// Rung `blocked`: tiles in shared memory, and a patch of 4 x 4 elements of C in the registers of each thread.
// launch: matmul block=16,16 grid=ceil(n/64),ceil(m/64)

#include "thread_tiles.cuh"

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    blocked_product<float, Second::as_is, 64, 16>(a, b, c, m, n, k);
}
