#include "tile.cuh"

// launch: transpose block=32,8 grid=ceil(cols/32),ceil(rows/32)
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    transpose_tile<float, 32, 8>(a, b, rows, cols);
}
