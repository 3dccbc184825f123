// Rung `shared_padded`: as `shared_conflict`, with one more column in the tile that is read by columns.
//
// The column is never used. It moves each row of `ats` on by one bank, so the elements of a column, TILE + 1 = 33 floats
// apart, lie in 32 different banks, and those of a row still do: loading and multiplying both take one pass.
//
// With 16 x 16 tiles one column is not quite enough today. A warp is then two rows of threads. They read without a
// conflict; but when they store rows of 17, the last element of one lies 32 floats after the first of the other, in the
// same bank. A tile as wide as there are banks has no such seam.
//
// What limits it now: two loads from shared memory for each multiply-add.

#ifndef TILE
#define TILE 32
#endif

__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    __shared__ float as[TILE][TILE];
    __shared__ float ats[TILE][TILE + 1];  // one column that is never used

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
