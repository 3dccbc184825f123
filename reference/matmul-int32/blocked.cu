// Rung `blocked`: tiles in shared memory as in `shared`, and sums of a patch in registers as in `register_tile`.
// launch: matmul_int32 block=16,16 grid=ceil(n/64),ceil(m/64)
//
// The two ideas of the source together: 16 x 16 threads compute 64 x 64 elements of C, each thread 4 x 4 of them. An
// element is fetched from global memory once for 64 uses. From shared memory a thread reads eight elements, in two
// 16-byte loads (`int4`), for 16 multiply-adds; in `shared` it would read 32. The patch can stay small, far from the
// sizes at which sums spill, because shared memory is near enough to be read once per two multiply-adds.
//
// The loop serves any type with sums that fit into a register: it is in `thread_tiles.cuh`, the tiles and their
// padding in `tiles.cuh`.
//
// What limits it now: between two barriers a block first waits for global memory and then computes.

#include "thread_tiles.cuh"

__global__ void matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    blocked_product<int, Second::as_is, 64, 16>(a, b, c, m, n, k);
}
