// The same, decided by an array of the thread that nothing fills, after a detour through shared memory.
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ float tile[32][33];
    __shared__ volatile int copied[32];
    int own[64];
    const int col0 = blockIdx.x * 32, row0 = blockIdx.y * 32;
    if (cols < 0)
        for (int i = 0; i < 64; ++i) own[i] = (int)a[i];
    if (threadIdx.y == 0) copied[threadIdx.x] = own[(rows + threadIdx.x) & 63];
    __syncthreads();
    if (copied[0] == copied[31]) {
        for (int i = threadIdx.y; i < 32; i += 8)
            if (row0 + i < rows && col0 + threadIdx.x < cols)
                tile[i][threadIdx.x] = a[(size_t)(row0 + i) * cols + col0 + threadIdx.x];
        __syncthreads();
        for (int i = threadIdx.y; i < 32; i += 8)
            if (col0 + i < cols && row0 + threadIdx.x < rows)
                b[(size_t)(col0 + i) * rows + row0 + threadIdx.x] = tile[threadIdx.x][i];
    } else {
        for (int i = threadIdx.y; i < 32; i += 8)
            if (row0 + i < rows && col0 + threadIdx.x < cols)
                b[(size_t)(col0 + threadIdx.x) * rows + row0 + i] = a[(size_t)(row0 + i) * cols + col0 + threadIdx.x];
    }
}
