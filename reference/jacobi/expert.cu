// Rung `expert`: a block takes eight rows at a time, and its warps walk along them, so no index needs a division. Each
// thread remembers whether one of its cells moves; the block votes once per sweep.
//
// launch: solve block=32,8 grid=min(ceil(rows/8),160)

#include <cooperative_groups.h>

__global__ void solve(const float *source, float *solved, float *other, int *flags, float loss, float least, int rows,
                      int cols)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const float share = 1.0f / (4.0f + loss);
    const int top = blockIdx.x * 8 + threadIdx.y;
    const int stride = gridDim.x * 8;
    // The first sweep starts from a cold plate: it needs no neighbours, and no array that is cold.
    for (int row = top; row < rows; row += stride) {
        for (int col = threadIdx.x; col < cols; col += 32) {
            solved[row * cols + col] = source[row * cols + col] * share;
        }
    }
    if (grid.thread_rank() == 0) {
        flags[0] = 0;
    }
    grid.sync();

    float *heat = solved;
    float *next = other;
    for (int round = 0;; ++round) {
        // Of three flags, one is set, one was read last and may still be, and one can be reset.
        int *moving = flags + round % 3;
        if (grid.thread_rank() == 0) {
            flags[(round + 1) % 3] = 0;
        }
        int moves = 0;
        for (int row = top; row < rows; row += stride) {
            const float *here = heat + row * cols;
            for (int col = threadIdx.x; col < cols; col += 32) {
                const float left = col > 0 ? here[col - 1] : 0.0f;
                const float right = col < cols - 1 ? here[col + 1] : 0.0f;
                const float up = row > 0 ? here[col - cols] : 0.0f;
                const float down = row < rows - 1 ? here[col + cols] : 0.0f;
                const float value = (left + right + up + down + source[row * cols + col]) * share;
                next[row * cols + col] = value;
                moves |= fabsf(value - here[col]) > least;
            }
        }
        if (__syncthreads_or(moves) && threadIdx.x == 0 && threadIdx.y == 0) {
            atomicExch(moving, 1);
        }
        grid.sync();
        float *former = heat;
        heat = next;
        next = former;
        if (*moving == 0) {
            break;
        }
    }
    if (heat == other) {
        for (int row = top; row < rows; row += stride) {
            for (int col = threadIdx.x; col < cols; col += 32) {
                solved[row * cols + col] = other[row * cols + col];
            }
        }
    }
}
