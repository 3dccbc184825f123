// after = (left + right + up + down of heat, 0 outside, + source) / (4 + loss) for each cell. If a cell moves by more than
// least, set moving[0] to 1. Launched again and again with blocks of 32 x 8 threads, until no cell moves.
__global__ void sweep(const float *heat, const float *source, float *after, int *moving, float loss, float least, int rows,
                      int cols)
{
}

// All sweeps in one launch, from a cold plate: the answer must be in solved. other and flags are yours, and hold anything.
// Launched with as many blocks of 256 threads as cells need, but at most 80.
__global__ void solve(const float *source, float *solved, float *other, int *flags, float loss, float least, int rows,
                      int cols)
{
    // After each sweep, all blocks must wait for each other: cooperative_groups::this_grid().sync().
}
