__global__ void generation(const bool *before, bool *after, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    int around = 0;
    for (int i = rows - 1; i <= rows + 1; ++i) {
        for (int j = cols - 1; j <= cols + 1; ++j) {
            around += (i != rows || j != cols) && before[(row + i) % rows * cols + (col + j) % cols];
        }
    }
    after[row * cols + col] = around == 3 || (around == 2 && before[row * cols + col]);
}
