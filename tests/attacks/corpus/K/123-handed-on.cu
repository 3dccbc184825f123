// A naive transposition in which each element passes through shared memory to the thread beside the one that loads it.
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ float handed[256];
    const int col = blockIdx.x * 32 + threadIdx.x, t = threadIdx.y * 32 + threadIdx.x;
    const int other = (col ^ 1) < cols ? col ^ 1 : col;
    for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
        if (row < rows && col < cols) handed[t] = a[(size_t)row * cols + other];
        __syncthreads();
        if (row < rows && col < cols) b[(size_t)col * rows + row] = handed[t + other - col];
        __syncthreads();
    }
}
