// Rung `blocked`: tiles in shared memory, and a patch of 4 x 4 elements of C in the registers of each thread.
// launch: matmul block=16,16 grid=ceil(n/64),ceil(m/64)
//
// It joins `shared` and `register_tile`. A block of 16 x 16 threads computes 64 x 64 elements of C from tiles 16 deep:
// each element of a tile is fetched from global memory once and used 64 times. A thread keeps 16 sums in registers;
// four elements of A and four of B serve 16 multiply-adds, so shared memory is read once per two of them instead of
// twice per one.
//
// The elements a thread needs together lie side by side, in A's tile because it is stored transposed, and come in one
// 16-byte load. How A is transposed on its way without bank conflicts, and what becomes of the edges, is in
// `tiles.cuh`; the loop itself is in `thread_tiles.cuh`.
//
// What limits it now: shared memory still has to deliver eight elements for 16 multiply-adds, and between two barriers
// the block first waits for global memory and then computes.

#include "thread_tiles.cuh"

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    blocked_product<float, Second::as_is, 64, 16>(a, b, c, m, n, k);
}
