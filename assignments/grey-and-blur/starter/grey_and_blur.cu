// Both kernels are launched with blocks of 16 x 16 threads, one for each pixel.

// out = 0.299 * red + 0.587 * green + 0.114 * blue; red, green and blue are x, y and z of a pixel.
__global__ void grey(const uchar4 *image, unsigned char *out, int rows, int cols)
{
}

// blurred = the mean of all pixels that are at most radius rows and radius columns away and exist. radius is at most 8.
__global__ void blur(const unsigned char *picture, unsigned char *blurred, int rows, int cols, int radius)
{
    // How many pixels does the window of a corner have?
}
