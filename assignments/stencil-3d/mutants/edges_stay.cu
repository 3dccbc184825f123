// mutant: cells at the sides keep their heat | verdict: wrong
__global__ void step(const float *old, float *out, float alpha, int depth, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (row >= rows || col >= cols) return;
    int p = rows * cols, i = z * p + row * cols + col;
    if (col == 0 || row == 0 || z == 0 || col == cols - 1 || row == rows - 1 || z == depth - 1) {
        out[i] = old[i];
        return;
    }
    out[i] = old[i] + alpha * (old[i - 1] + old[i + 1] + old[i - cols] + old[i + cols] + old[i - p] + old[i + p] - 6 * old[i]);
}
