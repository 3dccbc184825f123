// mutant: shifts the other way | verdict: wrong | beside: texture
__global__ void shift_global(const float *image, float *out, int rows, int cols, int down, int right)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int fx = min(max(x + right, 0), cols - 1);
    int fy = min(max(y + down, 0), rows - 1);
    if (x < cols && y < rows)
        out[y * cols + x] = image[fy * cols + fx];
}
