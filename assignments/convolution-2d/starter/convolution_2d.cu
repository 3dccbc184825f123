// out[r][c] = the sum of mask[i][j] * image[r + i - m / 2][c + j - m / 2] over all i and j from 0 to m - 1. m is odd
// and at most 9; pixels outside the image are zero.

// Launched with blocks of 16 x 16 threads, one for each pixel.
__global__ void convolve(const float *image, const float *mask, float *out, int rows, int cols, int m)
{
    // Which pixel is this thread's? Which of its neighbours exist?
}
