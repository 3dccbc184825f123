// Rung `register_tile`: one thread computes TILE x TILE elements of C, straight from global memory.
// launch: matmul_int32 block=16,16 grid=ceil(n/(16*TILE)),ceil(m/(16*TILE))
//
// A thread takes one element from each of TILE columns of B, and multiplies all of them with one element of A after
// the other: TILE + TILE loads for TILE * TILE multiply-adds. No other thread is needed for that.
//
// Its rows lie one below another, its columns 16 apart. If they lay side by side, as in the source, the threads of a
// warp would read every TILE-th element of B, and each sector of 32 bytes would be asked for again and again.
//
// The sums stay in registers as long as there are any: up to 255 per thread. At TILE 8 there are 64, at TILE 16
// already 256, and the compiler spills some of them to local memory, which is memory like any other, behind a cache.
// From there on the loops are not unrolled: no registers could be won, and 4096 multiply-adds in a row would not
// fit into the instruction cache. Every multiply-add then loads its sum and stores it again. At the same time
// the number of threads falls with the square of TILE, and most of the GPU has nothing to do.

#ifndef TILE
#define TILE 4
#endif

#define SIDE 16
// A local array lies in registers only if every index is a constant, so loops over it must be unrolled.
#define UNROLLED (TILE <= 16 ? TILE : 1)

__global__ void matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    const int first_row = (blockIdx.y * SIDE + threadIdx.y) * TILE;
    const int first_col = blockIdx.x * SIDE * TILE + threadIdx.x;

    int sum[TILE][TILE] = {};
    for (int i = 0; i < k; ++i) {
        int right[TILE];
#pragma unroll (UNROLLED)
        for (int x = 0; x < TILE; ++x) {
            const int col = first_col + x * SIDE;
            right[x] = col < n ? b[(size_t)i * n + col] : 0;
        }
#pragma unroll (UNROLLED)
        for (int y = 0; y < TILE; ++y) {
            const int row = first_row + y;
            const int left = row < m ? a[(size_t)row * k + i] : 0;
#pragma unroll (UNROLLED)
            for (int x = 0; x < TILE; ++x) {
                sum[y][x] += left * right[x];
            }
        }
    }

#pragma unroll (UNROLLED)
    for (int y = 0; y < TILE; ++y) {
#pragma unroll (UNROLLED)
        for (int x = 0; x < TILE; ++x) {
            const int row = first_row + y;
            const int col = first_col + x * SIDE;
            if (row < m && col < n) {
                c[(size_t)row * n + col] = sum[y][x];
            }
        }
    }
}
