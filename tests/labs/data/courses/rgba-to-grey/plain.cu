__global__ void grey(const uchar4 *image, unsigned char *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        uchar4 p = image[row * cols + col];
        out[row * cols + col] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
    }
}
