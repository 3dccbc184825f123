// mutant: row_sum_squares_shared loads over a tile that is still read | verdict: wrong | diagnostic: shared-memory race | beside: global, shared_padded
#define N 32

__global__ void row_sum_squares_shared(const float *a, float *out, int rows, int cols)
{
    __shared__ float buf[N][N];
    __shared__ float part[8][N];
    int x = threadIdx.x, y = threadIdx.y;
    int r = blockIdx.x * N + x;
    float s = 0;

    for (int c = 0; c < cols; c += N) {
        for (int k = y; k < N; k += 8) {
            int row = blockIdx.x * N + k;
            buf[k][x] = 0;
            if (row < rows && c + x < cols)
                buf[k][x] = a[row * cols + c + x];
        }
        __syncthreads();
        for (int k = y; k < N; k += 8)
            s += buf[x][k] * buf[x][k];  // <- here
    }

    part[y][x] = s;
    __syncthreads();
    if (y == 0 && r < rows) {
        s = 0;
        for (int k = 0; k < 8; k++)
            s += part[k][x];
        out[r] = s;
    }
}
