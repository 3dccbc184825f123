// mutant: each thread takes its number through its own word of shared memory | verdict: accepted | part: technique | loses: 16
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    __shared__ volatile float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += blockDim.y) {
        int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows) {
            tile[j][threadIdx.x] = a[y * cols + x];
            b[x * rows + y] = tile[j][threadIdx.x];
        }
    }
}
