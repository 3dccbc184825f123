// mutant: no tile at all: straight from global memory | verdict: accepted | diagnostic: uncoalesced access | part: technique
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += blockDim.y) {
        int y = blockIdx.y * 32 + j;
        if (x < cols && y < rows)
            b[x * rows + y] = a[y * cols + x];  // <- here
    }
}
