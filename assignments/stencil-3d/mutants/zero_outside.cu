// mutant: neighbours outside the box are cold | verdict: wrong
__global__ void step(const float *old, float *out, float alpha, int depth, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (row >= rows || col >= cols) return;
    int p = rows * cols, i = z * p + row * cols + col;
    float sum = 0;
    if (col > 0) sum += old[i - 1];
    if (col < cols - 1) sum += old[i + 1];
    if (row > 0) sum += old[i - cols];
    if (row < rows - 1) sum += old[i + cols];
    if (z > 0) sum += old[i - p];
    if (z < depth - 1) sum += old[i + p];
    out[i] = old[i] + alpha * (sum - 6 * old[i]);
}
