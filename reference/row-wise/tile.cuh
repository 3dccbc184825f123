// What every row-wise lab's `shared` and `shared_padded` do alike: a block of 32 x 8 threads loads a tile.

#pragma once

#define TILE 32
#define BLOCK_ROWS 8

// Loads the 32 x 32 elements from a[row0][col0] on; `outside` stands in for those beyond the matrix, so that every
// thread has something to store and reaches the barrier. A warp reads 32 neighbours of a row: coalesced. It writes
// them into 32 neighbours of the tile: no conflicts, whatever the pitch. The barriers are the caller's.
template <int PITCH>
__device__ void load_tile(float (&tile)[TILE][PITCH], const float *a, int rows, int cols, int row0, int col0,
                          float outside)
{
    const int col = col0 + threadIdx.x;
    for (int i = threadIdx.y; i < TILE; i += BLOCK_ROWS) {
        const int row = row0 + i;
        tile[i][threadIdx.x] = row < rows && col < cols ? a[(size_t)row * cols + col] : outside;
    }
}
