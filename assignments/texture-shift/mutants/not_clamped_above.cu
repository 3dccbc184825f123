// mutant: clamps at zero but not at the far border | verdict: crashed | diagnostic: out of bounds | beside: texture
__global__ void shift_global(const float *image, float *out, int rows, int cols, int down, int right)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows)
        out[y * cols + x] = image[max(y - down, 0) * cols + max(x - right, 0)];  // <- here
}
