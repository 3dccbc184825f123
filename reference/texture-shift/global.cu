// Rung `global`: straight from global memory, the borders by min and max.
//
// Each thread has one pixel of the result and looks up the pixel it comes from; beyond the border the nearest pixel
// counts. Neighbouring threads read neighbouring pixels, a few columns on: five sectors instead of four for a warp,
// and the fifth is in the cache when the next warp asks. What limits it is one load per thread to wait for.

__global__ void shift_global(const float *image, float *out, int rows, int cols, int down, int right)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        const int from_row = min(max(row - down, 0), rows - 1);
        const int from_col = min(max(col - right, 0), cols - 1);
        out[(size_t)row * cols + col] = image[(size_t)from_row * cols + from_col];
    }
}
