// Rung `shared`: a block of BLOCK x BLOCK threads computes as many elements of C from tiles in shared memory.
//
// Every element of a tile is fetched from global memory by one thread and used by BLOCK of them. With BLOCK 1 nothing
// is shared at all, and a warp has one thread at work and 31 idle; with 4 a warp is half empty. From 8 on warps
// are full, and each doubling halves the loads from global memory. At 32 a block has 1024 threads, as many as it may,
// and all of them wait at each barrier for the slowest.
//
// What limits it now is shared memory: two of its loads for each multiply-add, although every thread of a row of the
// block reads the same element of A's tile.

#ifndef BLOCK
#define BLOCK 16
#endif

// Zero stands in for what lies outside a matrix: it adds nothing, and every thread reaches the barriers.
__device__ int element(const int *matrix, int rows, int cols, int row, int col)
{
    return row < rows && col < cols ? matrix[(size_t)row * cols + col] : 0;
}

__global__ void matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    __shared__ int a_tile[BLOCK][BLOCK];
    __shared__ int b_tile[BLOCK][BLOCK];

    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = blockIdx.y * BLOCK + y;
    const int col = blockIdx.x * BLOCK + x;

    int sum = 0;
    for (int first = 0; first < k; first += BLOCK) {
        a_tile[y][x] = element(a, m, k, row, first + x);
        b_tile[y][x] = element(b, k, n, first + y, col);
        __syncthreads();  // both tiles are complete

        for (int i = 0; i < BLOCK; ++i) {
            sum += a_tile[y][i] * b_tile[i][x];
        }
        __syncthreads();  // no thread needs them any more
    }
    if (row < m && col < n) {
        c[(size_t)row * n + col] = sum;
    }
}
