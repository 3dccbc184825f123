// mutant: right, but neighbouring threads take cells that lie a row apart | verdict: accepted | diagnostic: uncoalesced access | part: technique | beside: expert
// launch: sweep block=32,8 grid=ceil(rows/32),ceil(cols/8)
__global__ void sweep(const float *heat, const float *source, float *after, int *moving, float loss, float least, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y, i = row * cols + col;
    if (row >= rows || col >= cols) return;
    float left = col > 0 ? heat[i - 1] : 0, right = col < cols - 1 ? heat[i + 1] : 0;  // <- here
    float up = row > 0 ? heat[i - cols] : 0, down = row < rows - 1 ? heat[i + cols] : 0;  // <- here
    float value = (left + right + up + down + source[i]) / (4 + loss);  // <- here
    after[i] = value;  // <- here
    if (fabsf(value - heat[i]) > least) atomicExch(moving, 1);  // <- here
}
