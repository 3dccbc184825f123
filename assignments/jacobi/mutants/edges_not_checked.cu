// mutant: sweep reads neighbours outside the plate | verdict: crashed | diagnostic: out of bounds | beside: expert
__global__ void sweep(const float *heat, const float *source, float *after, int *moving, float loss, float least, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, i = row * cols + col;
    if (row >= rows || col >= cols) return;
    after[i] = (heat[i - 1] + heat[i + 1] + heat[i - cols] + heat[i + cols] + source[i]) / (4 + loss);  // <- here
    if (fabsf(after[i] - heat[i]) > least) atomicExch(moving, 1);
}
