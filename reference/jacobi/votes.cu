// Rung `votes`: the threads of a block vote whether a cell moves, and one of them says so: an atomic per block.

__global__ void sweep(const float *__restrict__ heat, const float *__restrict__ source, float *__restrict__ after,
                      int *moving, float loss, float least, int rows, int cols)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    int moves = 0;
    if (row < rows && col < cols) {
        const int i = row * cols + col;
        const float left = col > 0 ? heat[i - 1] : 0.0f;
        const float right = col < cols - 1 ? heat[i + 1] : 0.0f;
        const float up = row > 0 ? heat[i - cols] : 0.0f;
        const float down = row < rows - 1 ? heat[i + cols] : 0.0f;
        const float value = (left + right + up + down + source[i]) / (4.0f + loss);
        after[i] = value;
        moves = fabsf(value - heat[i]) > least;
    }
    if (__syncthreads_or(moves) && threadIdx.x == 0 && threadIdx.y == 0) {
        atomicExch(moving, 1);
    }
}
