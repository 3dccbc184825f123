// mutant: leaves out the planes in front and behind | verdict: wrong
__global__ void step(const float *old, float *out, float alpha, int depth, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (row >= rows || col >= cols) return;
    int p = rows * cols, i = z * p + row * cols + col;
    float here = old[i], sum = 0;
    sum += col > 0 ? old[i - 1] : here;
    sum += col < cols - 1 ? old[i + 1] : here;
    sum += row > 0 ? old[i - cols] : here;
    sum += row < rows - 1 ? old[i + cols] : here;
    out[i] = here + alpha * (sum - 4 * here);
}
