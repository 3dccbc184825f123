// mutant: sweep always says that a cell moves | verdict: timed out | beside: expert
__global__ void sweep(const float *heat, const float *source, float *after, int *moving, float loss, float least, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, i = row * cols + col;
    if (row >= rows || col >= cols) return;
    float left = col > 0 ? heat[i - 1] : 0, right = col < cols - 1 ? heat[i + 1] : 0;
    float up = row > 0 ? heat[i - cols] : 0, down = row < rows - 1 ? heat[i + cols] : 0;
    after[i] = (left + right + up + down + source[i]) / (4 + loss);
    if (fabsf(after[i] - heat[i]) >= 0) atomicExch(moving, 1);
}
