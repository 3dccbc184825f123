// mutant: the last step along k, a whole one or not, is left out | verdict: wrong
#define BS 16

__global__ void matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    __shared__ int as[BS][BS];
    __shared__ int bs[BS][BS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * BS + tx;
    int row = blockIdx.y * BS + ty;
    int sum = 0;
    for (int s = 0; s + BS < k; s += BS) {
        as[ty][tx] = (row < m) ? a[row * k + s + tx] : 0;
        bs[ty][tx] = (col < n) ? b[(s + ty) * n + col] : 0;
        __syncthreads();
        for (int e = 0; e < BS; e++)
            sum += as[ty][e] * bs[e][tx];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
