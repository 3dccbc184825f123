// Rung `blocked`: tiles of 64 x 64 rows, and a patch of 4 x 4 elements of C in the registers of each thread.
// launch: matmul_transposed block=16,16 grid=ceil(m/64),ceil(m/64)
//
// Padding has made each request to shared memory as fast as it can be; what is left is to make fewer of them. A thread
// that keeps 16 sums needs four elements of either tile for 16 multiply-adds: half a read for each, instead of two.
//
// For that the four elements must lie side by side. Those of a column of A do not, so both tiles are transposed when
// they are stored, and columns are no longer read. The conflict has moved to the storing, where it costs little and
// padding of four fixes it: see `tiles.cuh`. The loop is in `thread_tiles.cuh`, the same as for a product A·B; only the
// second tile is read in another way.
//
// What limits it now: between two barriers the block first waits for global memory and then computes, and each element
// of the symmetric C is computed twice.

#include "thread_tiles.cuh"

__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    blocked_product<float, Second::transposed, 64, 16>(a, a, c, m, m, k);
}
