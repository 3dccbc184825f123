// Rung `global`: one thread per cell, seven reads from global memory. A cell is read by seven threads; what the caches
// do not keep comes from memory more than once.

__global__ void step(const float *old, float *out, float alpha, int depth, int rows, int cols)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z;
    if (row >= rows || col >= cols) {
        return;
    }
    const int plane = rows * cols;
    const int i = z * plane + row * cols + col;
    const float here = old[i];
    const float left = col > 0 ? old[i - 1] : here;
    const float right = col < cols - 1 ? old[i + 1] : here;
    const float up = row > 0 ? old[i - cols] : here;
    const float down = row < rows - 1 ? old[i + cols] : here;
    const float front = z > 0 ? old[i - plane] : here;
    const float back = z < depth - 1 ? old[i + plane] : here;
    out[i] = here + alpha * (left + right + up + down + front + back - 6.0f * here);
}
