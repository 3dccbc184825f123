// mutant: no barrier between using the tiles and loading the next ones | verdict: wrong | diagnostic: shared-memory race
#define BS 16

__global__ void matmul_int32(const int *a, const int *b, int *c, int m, int n, int k)
{
    __shared__ int as[BS][BS];
    __shared__ int bs[BS][BS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * BS + tx;
    int row = blockIdx.y * BS + ty;
    int sum = 0;
    for (int s = 0; s < k; s += BS) {
        as[ty][tx] = (row < m && s + tx < k) ? a[row * k + s + tx] : 0;
        bs[ty][tx] = (s + ty < k && col < n) ? b[(s + ty) * n + col] : 0;
        __syncthreads();
        for (int e = 0; e < BS; e++)
            sum += as[ty][e] * bs[e][tx];  // <- here
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
