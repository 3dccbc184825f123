// mutant: reads neighbours outside the box | verdict: crashed | diagnostic: out of bounds
__global__ void step(const float *old, float *out, float alpha, int depth, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (row >= rows || col >= cols) return;
    int p = rows * cols, i = z * p + row * cols + col;
    float sum = old[i - 1] + old[i + 1] + old[i - cols] + old[i + cols] + old[i - p] + old[i + p];  // <- here
    out[i] = old[i] + alpha * (sum - 6 * old[i]);
}
