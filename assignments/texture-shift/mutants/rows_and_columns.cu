// mutant: the texture is asked for row and column, not for x and y | verdict: wrong | beside: global
__global__ void shift_texture(cudaTextureObject_t image, float *out, int rows, int cols, int down, int right)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows)
        out[y * cols + x] = tex2D<float>(image, y - down + 0.5f, x - right + 0.5f);
}
