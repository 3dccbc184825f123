// mutant: zeros come in at the border | verdict: wrong | beside: texture
__global__ void shift_global(const float *image, float *out, int rows, int cols, int down, int right)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int fx = x - right, fy = y - down;
    if (x < cols && y < rows)
        out[y * cols + x] = fx >= 0 && fx < cols && fy >= 0 && fy < rows ? image[fy * cols + fx] : 0;
}
