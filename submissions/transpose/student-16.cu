// for square matrices n x n
__global__ void transpose(const float *a, float *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        b[x * n + y] = a[y * n + x];
}
