// launch: row_mean_shared block=32,8 grid=ceil(rows/32)
// launch: row_mean_shared_padded block=32,8 grid=ceil(rows/32)

__global__ void row_mean_global(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i < rows) {
        for (int j = 0; j < cols; ++j)
            sum += a[i * cols + j];
        row_means[i] = sum / cols;
    }
    sum = 0;
    if (i < cols) {
        for (int j = 0; j < rows; ++j)
            sum += a[j * cols + i];
        column_means[i] = sum / rows;
    }
}

template <int WIDTH>
__device__ void means(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    __shared__ float tile[32][WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int top = blockIdx.x * 32;
    float sum = 0;
    for (int left = 0; left < cols; left += 32) {
        for (int k = ty; k < 32; k += 8)
            tile[k][tx] = top + k < rows && left + tx < cols ? a[(top + k) * cols + left + tx] : 0;
        __syncthreads();
        for (int k = ty; k < 32; k += 8)
            sum += tile[tx][k];
        __syncthreads();
    }
    tile[ty][tx] = sum;
    __syncthreads();
    if (ty == 0 && top + tx < rows) {
        for (int k = 1; k < 8; ++k)
            sum += tile[k][tx];
        row_means[top + tx] = sum / cols;
    }
    // block b also does columns 32b to 32b + 31
    if (ty == 1 && top + tx < cols) {
        sum = 0;
        for (int j = 0; j < rows; ++j)
            sum += a[j * cols + top + tx];
        column_means[top + tx] = sum / rows;
    }
}

__global__ void row_mean_shared(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    means<32>(a, row_means, column_means, rows, cols);
}

__global__ void row_mean_shared_padded(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    means<33>(a, row_means, column_means, rows, cols);
}
