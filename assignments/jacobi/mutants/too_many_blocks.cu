// mutant: solve has a block for every cell, and no device holds them at once | verdict: crashed | diagnostic: invalid launch | beside: votes
// launch: solve block=256 grid=rows*cols
#include <cooperative_groups.h>
__global__ void solve(const float *source, float *solved, float *other, int *flags, float loss, float least, int rows, int cols)  // <- here
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = blockIdx.x;
    if (threadIdx.x == 0) solved[i] = 0;
    grid.sync();
    float *heat = solved, *next = other;
    for (int round = 0; round < 40; round++) {
        if (threadIdx.x == 0) {
            int row = i / cols, col = i % cols;
            float left = col > 0 ? heat[i - 1] : 0, right = col < cols - 1 ? heat[i + 1] : 0;
            float up = row > 0 ? heat[i - cols] : 0, down = row < rows - 1 ? heat[i + cols] : 0;
            next[i] = (left + right + up + down + source[i]) / (4 + loss);
        }
        grid.sync();
        float *former = heat;
        heat = next;
        next = former;
    }
}
