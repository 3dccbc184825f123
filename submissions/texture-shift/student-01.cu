// 边界由 min/max 处理；纹理自己会钳位，像素中心在 +0.5 处
__global__ void shift_global(const float *image, float *out, int rows, int cols, int down, int right)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) {
        int fx = min(max(x - right, 0), cols - 1);
        int fy = min(max(y - down, 0), rows - 1);
        out[y * cols + x] = image[fy * cols + fx];
    }
}

__global__ void shift_texture(cudaTextureObject_t image, float *out, int rows, int cols, int down, int right)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows)
        out[y * cols + x] = tex2D<float>(image, x - right + 0.5f, y - down + 0.5f);
}
