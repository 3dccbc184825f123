// Rung `global`: one thread per cell, and each thread with a cell that moves says so. `solve` does the same in one launch:
// its blocks wait for each other after each sweep.

#include <cooperative_groups.h>

__device__ float swept(const float *heat, const float *source, float loss, int rows, int cols, int row, int col)
{
    const int i = row * cols + col;
    const float left = col > 0 ? heat[i - 1] : 0.0f;
    const float right = col < cols - 1 ? heat[i + 1] : 0.0f;
    const float up = row > 0 ? heat[i - cols] : 0.0f;
    const float down = row < rows - 1 ? heat[i + cols] : 0.0f;
    return (left + right + up + down + source[i]) / (4.0f + loss);
}

__global__ void sweep(const float *heat, const float *source, float *after, int *moving, float loss, float least, int rows,
                      int cols)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) {
        return;
    }
    const float value = swept(heat, source, loss, rows, cols, row, col);
    after[row * cols + col] = value;
    if (fabsf(value - heat[row * cols + col]) > least) {
        atomicExch(moving, 1);
    }
}

__global__ void solve(const float *source, float *solved, float *other, int *flags, float loss, float least, int rows,
                      int cols)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    for (int i = first; i < rows * cols; i += stride) {
        solved[i] = 0.0f;
    }
    if (first == 0) {
        flags[0] = 0;
    }
    grid.sync();

    float *heat = solved;
    float *next = other;
    for (int round = 0;; ++round) {
        // Of three flags, one is set, one was read last and may still be, and one can be reset.
        int *moving = flags + round % 3;
        if (first == 0) {
            flags[(round + 1) % 3] = 0;
        }
        for (int i = first; i < rows * cols; i += stride) {
            const float value = swept(heat, source, loss, rows, cols, i / cols, i % cols);
            next[i] = value;
            if (fabsf(value - heat[i]) > least) {
                atomicExch(moving, 1);
            }
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
        for (int i = first; i < rows * cols; i += stride) {
            solved[i] = other[i];
        }
    }
}
