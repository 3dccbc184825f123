// mutant: scattered stores, made by one thread of a warp at a time | verdict: accepted | part: technique | loses: 16
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += blockDim.y) {
        int y = blockIdx.y * 32 + j;
        float value = x < cols && y < rows ? a[y * cols + x] : 0.0f;
        for (int lane = 0; lane < 32; lane++) {
            __syncwarp();
            if (threadIdx.x == lane && x < cols && y < rows)
                b[x * rows + y] = value;
        }
    }
}
