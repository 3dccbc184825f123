#define TS 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float as[TS][TS];
    __shared__ float bs[TS][TS];
    int row = blockIdx.y * TS + threadIdx.y;
    int col = blockIdx.x * TS + threadIdx.x;
    float sum = 0.0f;
    int t = 0;

    // цикл по блокам
    while (t * TS < k) {
        int ca = t * TS + threadIdx.x, rb = t * TS + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = (row < m && ca < k) ? a[row * k + ca] : 0.0f;
        bs[threadIdx.y][threadIdx.x] = (rb < k && col < n) ? b[rb * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TS; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }

    if (row < m && col < n)
        c[row * n + col] = sum;
}
