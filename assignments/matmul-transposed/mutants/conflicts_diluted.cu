// mutant: the tile has bank conflicts, and an array without them is accessed beside it | verdict: accepted | diagnostic: bank conflict | part: technique | loses: 10
#define N 32

__global__ void matmul_transposed(const float *a, float *c, int m, int k)
{
    __shared__ float as[N][N], ats[N][N];
    __shared__ volatile float free_of_conflicts[N][N];
    int x = blockIdx.x * N, y = blockIdx.y * N;
    float sum = 0.0f;
    for (int p = 0; p < k; p += N) {
        int i = p + threadIdx.x;
        as[threadIdx.y][threadIdx.x] = y + threadIdx.y < m && i < k ? a[(y + threadIdx.y) * k + i] : 0.0f;
        ats[threadIdx.y][threadIdx.x] = x + threadIdx.y < m && i < k ? a[(x + threadIdx.y) * k + i] : 0.0f;
        __syncthreads();
        for (int q = 0; q < N; q++) {
            sum += as[threadIdx.y][q] * ats[threadIdx.x][q];  // <- here
            free_of_conflicts[threadIdx.y][threadIdx.x] = sum;
        }
        __syncthreads();
    }
    if (x + threadIdx.x < m && y + threadIdx.y < m)
        c[(y + threadIdx.y) * m + x + threadIdx.x] = sum;
}
