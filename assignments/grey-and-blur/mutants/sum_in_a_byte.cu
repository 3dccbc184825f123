// mutant: grey rounds each product to a byte and adds these, up to three too low | verdict: wrong | beside: shared
__global__ void grey(const uchar4 *image, unsigned char *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    uchar4 p = image[row * cols + col];
    unsigned char r = 0.299f * p.x, g = 0.587f * p.y, b = 0.114f * p.z;
    out[row * cols + col] = r + g + b;
}
