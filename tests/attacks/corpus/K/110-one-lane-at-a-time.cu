// Scattered stores, each made by one lane alone: the average of such accesses touches one sector each.
// launch: transpose block=32,8 grid=ceil(cols/32),ceil(rows/8)
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    const int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
    const bool inside = row < rows && col < cols;
    const float value = inside ? a[(size_t)row * cols + col] : 0;
    for (int turn = 0; turn < 32; ++turn)
        if (lane == turn && inside) b[(size_t)col * rows + row] = value;
}
