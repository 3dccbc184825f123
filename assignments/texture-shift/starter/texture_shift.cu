// out[row][col] = image[row - down][col - right]; beyond the border the nearest pixel of the image counts.
// Two kernels, both launched with blocks of 32 x 8 threads, x along the columns, one thread per pixel.

__global__ void shift_global(const float *image, float *out, int rows, int cols, int down, int right)
{
    // Which pixel is this thread's, and where does it come from? down and right may be negative, too.
}

__global__ void shift_texture(cudaTextureObject_t image, float *out, int rows, int cols, int down, int right)
{
    // tex2D<float>(image, x, y) clamps by itself. Where is the middle of a pixel?
}
