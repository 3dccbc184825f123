// mutant: row_mean_shared adds up the tile before it is there | verdict: wrong | diagnostic: shared-memory race | beside: global, shared_padded
__global__ void row_mean_shared(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    __shared__ float t[32][32];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;

    for (int c = 0; c < cols; c += 32) {
        for (int k = y; k < 32; k += 8) {
            int r = blockIdx.x * 32 + k;
            t[k][x] = (r < rows && c + x < cols) ? a[r * cols + c + x] : 0;  // <- here
        }
        if (y == 0)
            for (int k = 0; k < 32; k++)
                sum += t[x][k];  // <- here
        __syncthreads();
    }
    if (y == 0 && i < rows)
        row_means[i] = sum / cols;

    if (y == 1 && i < cols) {
        sum = 0;
        for (int r = 0; r < rows; r++)
            sum += a[r * cols + i];
        column_means[i] = sum / rows;
    }
}
