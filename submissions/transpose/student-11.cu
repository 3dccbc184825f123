// naive transpose, as in the lecture
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;

    for (int i = 0; i < 32; i += 8)
        b[x * rows + y + i] = a[(y + i) * cols + x];
}
