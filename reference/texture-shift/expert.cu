// Rung `expert`: no texture; four rows per thread, so that four loads are on their way at once.
//
// The column is clamped once for all four. Neighbouring threads still have neighbouring pixels, and a quarter as many
// threads are started. It takes about as long as reading and writing the image takes.

#define ROWS 4

// launch: shift_global block=32,8 grid=ceil(cols/32),ceil(rows/32)
__global__ void shift_global(const float *image, float *out, int rows, int cols, int down, int right)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row0 = blockIdx.y * (8 * ROWS) + threadIdx.y;
    if (col >= cols) {
        return;
    }
    const float *source = image + min(max(col - right, 0), cols - 1);
    float pixel[ROWS];
    for (int k = 0; k < ROWS; ++k) {
        // Clamped, every row can be read, even for a pixel that is not there to be written.
        const int from_row = min(max(row0 + 8 * k - down, 0), rows - 1);
        pixel[k] = source[(size_t)from_row * cols];
    }
    for (int k = 0; k < ROWS; ++k) {
        const int row = row0 + 8 * k;
        if (row < rows) {
            out[(size_t)row * cols + col] = pixel[k];
        }
    }
}
