// Rung `shared`: a block computes 32 elements of y, with a 32 x 32 tile of A and 32 elements of x in shared
// memory.
//
// The tile is loaded along the rows, so A comes in coalesced. Then lane tx walks along row tx of the tile:
// the unused column keeps the 32 rows in different banks. The 32 elements of x are loaded once and used by
// all 32 rows; since all lanes want the same one at a time, reading them is a broadcast. What limits this
// kernel now are the two barriers of each step: every warp waits for the slowest load of the tile, and
// nothing else is in flight.
//
// launch: matvec block=32,8 grid=ceil(rows/32)

#define TILE 32
#define BLOCK_ROWS 8

__global__ void matvec(const float *a, const float *x, float *y, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    __shared__ float part[TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.x * TILE;

    float sum = 0.0f;
    for (int col0 = 0; col0 < cols; col0 += TILE) {
        const bool inside = col0 + tx < cols;
        for (int i = ty; i < TILE; i += BLOCK_ROWS) {
            // Zeros stand in for what lies outside: they add nothing, and every thread reaches the barriers.
            tile[i][tx] = inside && row0 + i < rows ? a[(size_t)(row0 + i) * cols + col0 + tx] : 0.0f;
        }
        if (ty == 0) {
            part[tx] = inside ? x[col0 + tx] : 0.0f;
        }
        __syncthreads();
        for (int i = ty; i < TILE; i += BLOCK_ROWS) {
            sum += tile[tx][i] * part[i];
        }
        // Nobody may load the next tile while someone still reads this one.
        __syncthreads();
    }

    // Element tx is now in eight parts, one in each warp: the first adds them up.
    tile[ty][tx] = sum;
    __syncthreads();
    if (ty == 0 && row0 + tx < rows) {
        for (int i = 1; i < BLOCK_ROWS; ++i) {
            sum += tile[i][tx];
        }
        y[row0 + tx] = sum;
    }
}
