// mutant: wraps round at the border instead of clamping | verdict: wrong | beside: texture
__global__ void shift_global(const float *image, float *out, int rows, int cols, int down, int right)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int fx = ((x - right) % cols + cols) % cols;
    int fy = ((y - down) % rows + rows) % rows;
    if (x < cols && y < rows)
        out[y * cols + x] = image[fy * cols + fx];
}
