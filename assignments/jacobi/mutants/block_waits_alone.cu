// mutant: solve waits for the block, not for the grid | verdict: wrong | diagnostic: global-memory race | beside: votes
__global__ void solve(const float *source, float *solved, float *other, int *flags, float loss, float least, int rows, int cols)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    for (int i = first; i < rows * cols; i += stride) solved[i] = 0;  // <- here
    __syncthreads();
    float *heat = solved, *next = other;
    for (int round = 0; round < 40; round++) {
        for (int i = first; i < rows * cols; i += stride) {
            int row = i / cols, col = i % cols;
            float left = col > 0 ? heat[i - 1] : 0, right = col < cols - 1 ? heat[i + 1] : 0;  // <- here
            float up = row > 0 ? heat[i - cols] : 0, down = row < rows - 1 ? heat[i + cols] : 0;  // <- here
            next[i] = (left + right + up + down + source[i]) / (4 + loss);  // <- here
        }
        __syncthreads();
        float *former = heat;
        heat = next;
        next = former;
    }
}
