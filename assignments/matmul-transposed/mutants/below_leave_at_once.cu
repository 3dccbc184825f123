// mutant: threads below the diagonal leave at once, and load nothing for those that stay | verdict: wrong | diagnostic: uninitialised read
#define T 32

__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    __shared__ float as[T][T];
    __shared__ float ats[T][T + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int j = blockIdx.x * T + tx;
    int i = blockIdx.y * T + ty;
    if (i > j)
        return;
    float s = 0.0f;
    for (int p = 0; p < k; p += T) {
        as[ty][tx] = i < m && p + tx < k ? a[i * k + p + tx] : 0.0f;
        ats[ty][tx] = blockIdx.x * T + ty < m && p + tx < k ? a[(blockIdx.x * T + ty) * k + p + tx] : 0.0f;
        __syncthreads();  // <- here
        for (int q = 0; q < T; q++)
            s += as[ty][q] * ats[tx][q];  // <- here
        __syncthreads();  // <- here
    }
    if (i < m && j < m) {
        c[i * m + j] = s;
        c[j * m + i] = s;
    }
}
