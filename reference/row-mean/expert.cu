// Rung `expert`: every element is read once, and counts for its row and for its column.
//
// A block of 256 threads takes a tile: a strip of rows, as wide as the block has threads. A thread goes down a column,
// 16 rows at a time, so that 16 loads are on their way, and keeps the column's sum in a register. On the way each warp
// adds up its 32 elements of those 16 rows by shuffles; shared memory keeps the sums until all warps are through.
//
// So a block has a share of each of its rows and columns, and the tiles beside and above it have the others. Nobody
// waits for them: a block writes its shares down and counts itself, in its strip and in its panel of columns, and the
// one that comes last finds all shares there and adds them up. Which one that is differs from run to run, but not the
// order of the additions, which is that of the tiles. So an atomic counter does no harm here, where atomic additions
// of floats, in any order, would.
//
// What limits it is the bandwidth of memory. Of 16384 x 16384 elements 64 x 64 tiles are made; their shares are less
// than a hundredth of the matrix, and the cache holds them. Larger tiles have fewer, but the last few tiles have the
// memory to themselves and cannot keep it busy: the larger they are, the longer that takes.

// launch: row_mean_shared_padded block=THREADS grid=max(min(ceil(cols/THREADS),PANELS,SHARES//rows),1),max(min(ceil(rows/LEAST_ROWS),STRIPS,SHARES//cols),1)

#define FULL_MASK 0xffffffffu
#define WARP 32
#define WARPS 8
#define THREADS (WARPS * WARP)
#define AT_ONCE 16

#define LEAST_ROWS 32  // of a strip: fewer would leave a small matrix with more shares to add up than rows
#define STRIPS 128
#define PANELS 1024
#define SHARES (1 << 20)

// The share of row r is row_shares[panel * rows + r], that of column c column_shares[strip * cols + c]. The launch line
// sees to it that they fit: where a matrix is very large, it makes fewer and larger tiles.
__device__ float row_shares[SHARES];
__device__ float column_shares[SHARES];

// How many blocks are done. The last one leaves a zero behind, for the next launch.
__device__ unsigned done_in_strip[STRIPS];
__device__ unsigned done_in_panel[PANELS];

// x[k] = at[k * pitch] where k < n, else zero. All are asked for before the first is needed.
__device__ void load(float (&x)[AT_ONCE], const float *at, int n, int pitch)
{
#pragma unroll
    for (int k = 0; k < AT_ONCE; ++k) {
        x[k] = k < n ? at[(size_t)k * pitch] : 0.0f;
    }
}

__device__ float plus_all(float sum, const float (&x)[AT_ONCE])
{
#pragma unroll
    for (int k = 0; k < AT_ONCE; ++k) {
        sum += x[k];
    }
    return sum;
}

// The sum of the warp's x[k], in lanes 2k and 2k + 1. At each step a lane hands over half of its numbers and adds what
// it is handed to the others: 16 shuffles for 16 sums, where one sum after the other takes 80.
__device__ float sums_of_warp(float (&x)[AT_ONCE])
{
#pragma unroll
    for (int half = AT_ONCE / 2; half > 0; half /= 2) {
        const bool upper = threadIdx.x & 2 * half;
        // The compiler unrolls a loop only if it knows the bounds, and only then does x stay in registers.
#pragma unroll
        for (int k = 0; k < AT_ONCE / 2; ++k) {
            if (k < half) {
                const float kept = upper ? x[half + k] : x[k];
                const float handed = upper ? x[k] : x[half + k];
                x[k] = kept + __shfl_xor_sync(FULL_MASK, handed, 2 * half);
            }
        }
    }
    return x[0] + __shfl_xor_sync(FULL_MASK, x[0], 1);
}

__device__ float sum_of_shares(const float *shares, int n, int pitch)
{
    float sum = 0.0f;
    for (int i = 0; i < n; i += AT_ONCE) {
        float x[AT_ONCE];
        load(x, shares + (size_t)i * pitch, n - i, pitch);
        sum = plus_all(sum, x);
    }
    return sum;
}

__global__ void row_mean_shared_padded(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    __shared__ float of_warp[WARPS][THREADS];
    __shared__ bool last_in_strip, last_in_panel;

    const int thread = threadIdx.x;
    const int lane = thread % WARP;
    const int warp = thread / WARP;
    const int strip = blockIdx.y;
    const int panel = blockIdx.x;
    const int strips = gridDim.y;
    const int panels = gridDim.x;

    // Some strips have a row more than the others. In 32 bits: where a division of 64 is called, the assembler takes the
    // warp for divided ever after, and every shuffle and load for dearer.
    const int extra = rows % strips;
    const int first = strip * (rows / strips) + min(strip, extra);
    const int end = first + rows / strips + (strip < extra);

    // A share that is the only one waits where the mean will be. There is room however many rows or columns there are.
    float *of_rows = panels > 1 ? row_shares + (size_t)panel * rows : row_means;
    float *of_columns = strips > 1 ? column_shares + (size_t)strip * cols : column_means;

    // One round, unless the matrix has more columns than there are panels for.
    for (int col0 = panel * THREADS; col0 < cols; col0 += panels * THREADS) {
        const int col = col0 + thread;
        float of_column = 0.0f;

        for (int row0 = first; row0 < end; row0 += THREADS) {
            for (int i = 0; i < min(THREADS, end - row0); i += AT_ONCE) {
                const int row = row0 + i;
                float x[AT_ONCE];
                load(x, a + (size_t)row * cols + col, col < cols ? end - row : 0, cols);
                of_column = plus_all(of_column, x);
                const float sum = sums_of_warp(x);
                if (lane % 2 == 0) {
                    of_warp[warp][i + lane / 2] = sum;
                }
            }
            __syncthreads();
            const int row = row0 + thread;
            if (row < end) {
                float of_row = col0 < panels * THREADS ? 0.0f : of_rows[row];
                for (int i = 0; i < WARPS; ++i) {
                    of_row += of_warp[i][thread];
                }
                of_rows[row] = of_row;
            }
            // Nobody may write the next sums while someone still reads these.
            __syncthreads();
        }
        if (col < cols) {
            of_columns[col] = of_column;
        }
    }

    // The barrier puts the whole block's shares before the first fence, and that one before the counting; the second
    // puts the reading of the others' shares after it, so that no cache gives what was there before.
    __syncthreads();
    if (thread == 0) {
        __threadfence();
        last_in_strip = atomicInc(&done_in_strip[strip], panels - 1) == panels - 1;
        last_in_panel = atomicInc(&done_in_panel[panel], strips - 1) == strips - 1;
        __threadfence();
    }
    __syncthreads();

    if (last_in_strip) {
        const float *shares = panels > 1 ? row_shares : row_means;
        for (int row = first + thread; row < end; row += THREADS) {
            row_means[row] = sum_of_shares(shares + row, panels, rows) / cols;
        }
    }
    if (last_in_panel) {
        const float *shares = strips > 1 ? column_shares : column_means;
        for (int col = panel * THREADS + thread; col < cols; col += panels * THREADS) {
            column_means[col] = sum_of_shares(shares + col, strips, cols) / rows;
        }
    }
}
