// mutant: the barrier stands between the loading of the two tiles | verdict: wrong | diagnostic: shared-memory race
#define T 32

__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    __shared__ float rows[T][T];
    __shared__ float cols[T][T + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int j = blockIdx.x * T + tx;
    int i = blockIdx.y * T + ty;
    int jj = blockIdx.x * T + ty;
    float s = 0.0f;
    for (int p = tx; p - tx < k; p += T) {
        rows[ty][tx] = (i < m && p < k) ? a[i * k + p] : 0.0f;
        __syncthreads();
        cols[ty][tx] = (jj < m && p < k) ? a[jj * k + p] : 0.0f;
        for (int q = 0; q < T; q++)
            s += rows[ty][q] * cols[tx][q];  // <- here
        __syncthreads();
    }
    if (i < m && j < m)
        c[i * m + j] = s;
}
