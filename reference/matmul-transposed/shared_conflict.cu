// Rung `shared_conflict`: TILE x TILE tiles of A in shared memory, the second one read by columns.
//
// Both tiles are pieces of A and are loaded the same way, row by row, which makes every access to global memory
// coalesced. The tile that stands for Aᵀ is used with its indices exchanged: thread tx reads ats[tx][i].
//
// That is where it is slow. Neighbouring threads read elements TILE floats apart. With TILE = 32 those lie in one bank
// of the 32, and the warp's request is served in 32 passes, one thread at a time. (With 16 x 16 blocks a warp is two
// rows of threads, which read the same 16 elements; every second of those lies in the same bank: 8 passes. On the
// source's GPU, with 16 banks and half-warps, it took 16.)

#ifndef TILE
#define TILE 32
#endif

__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    __shared__ float as[TILE][TILE];
    __shared__ float ats[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col0 = blockIdx.x * TILE;
    const int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int step = 0; step < k; step += TILE) {
        const bool inside = step + tx < k;
        as[ty][tx] = inside && row < m ? a[(size_t)row * k + step + tx] : 0.0f;
        ats[ty][tx] = inside && col0 + ty < m ? a[(size_t)(col0 + ty) * k + step + tx] : 0.0f;
        __syncthreads();

        for (int i = 0; i < TILE; ++i) {
            sum += as[ty][i] * ats[tx][i];
        }
        __syncthreads();
    }

    if (row < m && col0 + tx < m) {
        c[(size_t)row * m + col0 + tx] = sum;
    }
}
