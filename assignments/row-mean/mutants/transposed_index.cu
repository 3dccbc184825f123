// mutant: row_mean_global walks down the columns as if rows had as many elements as columns | verdict: wrong | beside: shared, shared_padded
__global__ void row_mean_global(const float *a, float *row_means, float *column_means, int rows, int cols)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i < rows) {
        for (int j = 0; j < cols; j++)
            sum += a[i * cols + j];
        row_means[i] = sum / cols;
    }
    sum = 0;
    if (i < cols) {
        for (int j = 0; j < rows; j++)
            sum += a[i * rows + j];
        column_means[i] = sum / rows;
    }
}
